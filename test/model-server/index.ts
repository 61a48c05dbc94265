export { createEmbedder } from './embedder/create-embedder.js'
export { SENTENCE_ENCODER, SENTENCE_ENCODER_DIM } from './embedder/sentence-encoder.js'
export { startModelServer } from './start-model-server.js'
export { bookOf, normaliseUserSection, openBook, type Book, type BookOptions, type Recording } from './recordings.js'
export {
  scriptedCapture,
  stageOf,
  type CaptureCall,
  type CaptureScript,
  type ScriptedCapture,
} from './scripted-capture.js'
export { asAgentHost } from './agent-host.js'
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
