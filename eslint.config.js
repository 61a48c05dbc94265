import js from '@eslint/js'
import { defineConfig } from 'eslint/config'
import globals from 'globals'
import tseslint from 'typescript-eslint'

/** Folders whose files turn values into values: no clock, disk, random number, network or timer (docs/architecture.md). */
const PURE = ['packages/*/src/{format,policy,query,ranking}/**/*.ts']

/** The only sources that may touch the disk: the port's own folder, and where the command reads the user's input files. */
const DISK = ['packages/memory-store/src/disk/**/*.ts', 'packages/memory-cli/src/edge/**/*.ts']

const EDGE_MODULES = [
  {
    group: ['node:fs', 'node:fs/*', 'fs', 'fs/*'],
    message: 'Use the FileSystem port of memory-store; only its disk/ folder imports node:fs.',
  },
]

const IMPURE_MODULES = [
  {
    group: [
      'node:timers',
      'node:timers/*',
      'node:http',
      'node:https',
      'node:net',
      'node:child_process',
      'node:worker_threads',
      'node:os',
      'node:process',
      'better-sqlite3',
      'ulid',
    ],
    message: 'This folder is pure: pass the value in from the edge.',
  },
  {
    group: ['node:crypto'],
    importNamePattern: '^(random|getRandom|webcrypto)',
    message: 'This folder is pure: pass randomness in from the edge.',
  },
  {
    group: ['**/disk/*', '**/canonical/*', '**/sqlite/*', '**/generation/*'],
    allowTypeImports: true,
    message: 'This folder is pure: it does not know the edge.',
  },
]

const IMPURE_GLOBALS = ['fetch', 'setTimeout', 'setInterval', 'setImmediate', 'performance', 'crypto'].map((name) => ({
  name,
  message: 'This folder is pure: pass the value in from the edge.',
}))

const IMPURE_SYNTAX = [
  {
    selector: "MemberExpression[object.name='process'][property.name!='versions']",
    message: 'This folder is pure: pass the value in from the edge.',
  },
  {
    selector: "MemberExpression[object.name='Date'][property.name='now']",
    message: 'This folder is pure: pass the instant in.',
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'This folder is pure: pass the instant in.',
  },
  { selector: "CallExpression[callee.name='Date']", message: 'This folder is pure: pass the instant in.' },
  {
    selector: "MemberExpression[object.name='Math'][property.name='random']",
    message: 'This folder is pure: pass randomness in.',
  },
  {
    selector: 'MemberExpression[property.name=/^(randomBytes|randomUUID|randomInt|getRandomValues)$/]',
    message: 'This folder is pure: pass randomness in.',
  },
]

export default defineConfig(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/golden/**', 'crash-out/**', 'coverage/**', '*.cjs', 'tmp/**'] },
  // AssemblyScript, which has types of its own: its compiler checks it.
  { ignores: ['packages/*/kernel/**'] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      'no-empty': ['error', { allowEmptyCatch: false }],
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'no-var': 'error',
      'no-misleading-character-class': ['error', { allowEscape: true }],
    },
  },
  { files: ['**/*.mjs', '*.js'], languageOptions: { globals: globals.node } },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'separate-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      // An async function without await is how a synchronous implementation meets an asynchronous contract.
      '@typescript-eslint/require-await': 'off',
      // Bags of functions are taken apart on purpose here; a method of a class that loses its `this` fails in its first test.
      '@typescript-eslint/unbound-method': 'off',
      'max-lines': ['error', { max: 400 }],
    },
  },
  {
    files: ['packages/*/src/**/*.ts'],
    ignores: DISK,
    rules: {
      'no-restricted-imports': 'off',
      '@typescript-eslint/no-restricted-imports': ['error', { patterns: EDGE_MODULES }],
      'no-console': 'error',
    },
  },
  {
    files: PURE,
    rules: {
      '@typescript-eslint/no-restricted-imports': ['error', { patterns: [...EDGE_MODULES, ...IMPURE_MODULES] }],
      'no-restricted-globals': ['error', ...IMPURE_GLOBALS],
      'no-restricted-syntax': ['error', ...IMPURE_SYNTAX],
    },
  },
  {
    // Tests reach for what they must not: wrong types on purpose, private shapes read back from JSON and SQLite.
    files: ['**/test/**/*.ts', 'test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
)
