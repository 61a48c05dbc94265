// Made by scripts/build-kernel.mjs from kernel/near-scan.ts: do not edit.

/** 221 bytes of WebAssembly. */
export const NEAR_SCAN: Uint8Array = Buffer.from(
  [
    'AGFzbQEAAAABCQFgBX9/f39/AAIPAQNlbnYGbWVtb3J5AgAAAwIBAAcRAgRzY2FuAAAGbWVtb3J5AgAKnwEBnAECA38BewNAIAEgAkkEQCABIANq',
    'IQf9DAAAAAAAAAAAAAAAAAAAAAAhCCAAIQYgASEFA0AgBSAHSQRAIAggBf0BAAAgBv0ABAD9ugH9rgEgBf0BAAggBv0ABBD9ugH9rgEhCCAGQSBq',
    'IQYgBUEQaiEFDAELCyAHIAj9GwAgCP0bAWogCP0bAmogCP0bA2o2AgggASAEaiEBDAELCws=',
  ].join(''),
  'base64',
)
