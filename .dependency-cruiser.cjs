/** The arrows of docs/architecture.md, as rules. `MAY_IMPORT[package]` lists the packages it may know. */
const MAY_IMPORT = {
  'memory-store': [],
  'memory-intake': ['memory-store'],
  'memory-search': ['memory-store'],
  'memory-bujo': ['memory-store', 'memory-intake', 'memory-search'],
  'memory-host': ['memory-store', 'memory-bujo'],
  'memory-cli': ['memory-store', 'memory-intake', 'memory-search', 'memory-bujo', 'memory-host'],
}

const directions = Object.entries(MAY_IMPORT).map(([name, allowed]) => ({
  name: `direction-${name}`,
  comment: `${name} may import ${allowed.join(', ') || 'no other package'}: see docs/architecture.md.`,
  severity: 'error',
  from: { path: `^packages/${name}/src/` },
  to: { path: '^packages/', pathNot: `^packages/(${[name, ...allowed].join('|')})/` },
}))

module.exports = {
  forbidden: [
    ...directions,
    {
      name: 'no-cycle',
      comment:
        'Two files that need each other are one file, or a third one is missing. A cycle of types alone is none at run time.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'front-door',
      comment: 'Another package is imported by its name; everything behind its index.ts is free to change.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: {
        path: '^packages/([^/]+)/',
        pathNot: ['^packages/$1/', '^packages/[^/]+/(src/index[.]ts|dist/index[.](js|d[.]ts))$'],
      },
    },
    {
      name: 'pure-knows-no-edge',
      comment: 'Formats and policies are pure: they know neither disk nor database.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/(format|policy|query|ranking)/' },
      to: { path: '^packages/[^/]+/src/(disk|canonical|sqlite|generation)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'declared-dependency',
      comment: 'What a published package imports stands in its own package.json.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'] },
    },
    {
      name: 'resolvable',
      comment: 'An import that resolves to nothing.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: '(^|/)(node_modules|dist)/' },
    combinedDependencies: false,
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
}
