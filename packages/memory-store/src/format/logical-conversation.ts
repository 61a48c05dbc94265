/** The day a host put after a conversation it cuts into days; the last one only. */
const DAY_BUCKET = /#\d{4}-\d\d-\d\d$/

/**
 * The conversation that an id belongs to, whatever day of it (REC-16): hosts that begin a long conversation anew each day
 * write `chat-7#2026-05-01`. Two ids are of one conversation if what this gives is equal.
 */
export function logicalConversation(conversationId: string): string {
  const rest = conversationId.replace(DAY_BUCKET, '')
  return rest === '' ? conversationId : rest // nothing but a day: that is its name
}
