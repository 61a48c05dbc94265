export const packageNames: readonly string[]
export function packAll(folder: string): { name: string; tarball: string }[]
