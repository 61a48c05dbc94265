import type { ItemStore } from './item-store.js'
import type { ReceiptOrder } from './policy/retention.js'
import { pauseAfterFiles } from './pause-after-files.js'

/** Which receipts are on disk. Opening lists them; their order is read only when the first one has to go. */
export class ReceiptShelf {
  /** id → admission number, undefined until it is read. */
  readonly #orders: Map<string, number | undefined>

  constructor(
    private readonly store: ItemStore,
    ids: Iterable<string>,
  ) {
    this.#orders = new Map([...ids].map((id) => [id, undefined]))
  }

  get size(): number {
    return this.#orders.size
  }

  ids(): string[] {
    return [...this.#orders.keys()]
  }

  has(id: string): boolean {
    return this.#orders.has(id)
  }

  add({ id, order }: ReceiptOrder): void {
    this.#orders.set(id, order)
  }

  delete(id: string): void {
    this.#orders.delete(id)
  }

  /**
   * Every receipt with its order. One that is not as it was written is left out, so that it is never removed; `onInvalid`
   * is told.
   */
  async byOrder(onInvalid: (error: unknown) => void): Promise<ReceiptOrder[]> {
    const pause = pauseAfterFiles()
    const known: ReceiptOrder[] = []
    for (const [id, order] of this.#orders) {
      if (order !== undefined) {
        known.push({ id, order })
        continue
      }
      await pause()
      try {
        const receipt = this.store.readReceipt(id)
        if (receipt === undefined) continue
        this.#orders.set(id, receipt.order)
        known.push(receipt)
      } catch (error) {
        onInvalid(error)
      }
    }
    return known.sort((a, b) => a.order - b.order)
  }
}
