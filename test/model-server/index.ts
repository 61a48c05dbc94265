export { createEmbedder } from './embedder/create-embedder.js'
export { SENTENCE_ENCODER, SENTENCE_ENCODER_DIM } from './embedder/sentence-encoder.js'
export { startModelServer } from './start-model-server.js'
export type {
  ChatAnswer,
  ChatRequest,
  ChatResponder,
  EmbeddedText,
  Embedder,
  EmbedderOptions,
  EmbedOptions,
  Fault,
  Faults,
  LoggedRequest,
  ModelServer,
  ModelServerOptions,
  Outcome,
  Protocol,
  RequestLog,
  ScriptedChat,
  ServedModel,
  Service,
} from './types.js'
