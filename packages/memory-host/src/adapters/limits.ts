/**
 * UTF-8 bytes of one message from a client, over stdio and HTTP. The longest input that a tool accepts is a few KiB; a
 * message over the limit is dropped before it is parsed.
 */
export const MAX_MESSAGE_BYTES = 1024 * 1024
