export const PNPM: readonly string[]
export function pnpm(args: readonly string[], options: { cwd: string }): string
