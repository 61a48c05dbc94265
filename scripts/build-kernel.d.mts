export interface Kernel {
  readonly source: string
  readonly module: string
  readonly constant: string
}
export const kernels: readonly Kernel[]
export function compileKernel(kernel: Kernel): Promise<string>
