/** The words of a message that recall and capture go by, and whether the host set them apart (REC-33). */
export interface OwnerText {
  readonly text: string
  /** `owner_text`: set apart by the host. `ignored`: what it set apart is not the tail of the message, which is used whole. */
  readonly origin: 'owner_text' | 'message' | 'ignored'
}

/**
 * The owner's unprefixed text of a message: the host's envelope (project, tag, markers) stands before it. Held against the
 * message, so that no text can be looked up or captured that the model was never sent.
 */
export function ownerTextOf(message: string, ownerText: string | undefined): OwnerText {
  if (ownerText === undefined) return { text: message, origin: 'message' }
  return message.endsWith(ownerText) ? { text: ownerText, origin: 'owner_text' } : { text: message, origin: 'ignored' }
}
