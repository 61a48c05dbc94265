/** A receipt by name and admission number. */
export interface ReceiptOrder {
  readonly id: string
  readonly order: number
}

/** Which receipts go when there are more than may be kept: the oldest by admission order (INT-3). */
export function planPruning(receipts: readonly ReceiptOrder[], maxReceipts: number): readonly ReceiptOrder[] {
  const excess = receipts.length - maxReceipts
  if (excess <= 0) return []
  return [...receipts].sort((a, b) => a.order - b.order).slice(0, excess)
}

export interface Account {
  /** Ledger entries that were committed. */
  readonly entries: number
  readonly pending: number
  readonly dead: number
  readonly resolved: number
  readonly pruned: number
}

/**
 * Does every ledger entry have its record, receipt or pruned receipt (INT-7)?
 * @returns `unaccounted`: entries whose record or receipt something removed. `resurrected`: receipts that were pruned and
 *   counted, and whose removal a power loss undid: they go once more, uncounted.
 */
export function balance(account: Account): { readonly unaccounted: number; readonly resurrected: number } {
  const missing = account.entries - account.pending - account.dead - account.resolved - account.pruned
  return { unaccounted: Math.max(missing, 0), resurrected: Math.max(-missing, 0) }
}
