/** Two terms of one hash. */
export const SAME_HASH = ['w4pvu', 'wb3ea'] as const
