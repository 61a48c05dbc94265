// The prompts of the three chat calls: one file a prompt, each with its version.
export { EXTRACT_PROMPT_VERSION, extractPrompt } from './extract.js'
export { RECONCILE_PROMPT_VERSION, reconcilePrompt } from './reconcile.js'
export { REVIEW_PROMPT_VERSION, reviewPrompt } from './review.js'
export type { Prompt } from './sections.js'
