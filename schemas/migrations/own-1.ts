/**
 * What version 1 of own makes of a document of version 0: a draft names the stamp of the save that has begun. One that was
 * cut short under version 0 named its record only, and is a draft again. Pure; keeps the key, `changes`, `unsent`.
 */
import type { Step } from './step.ts'

export const own1: Step = (document) =>
  'saving' in document ? { ...document, saving: '', saved: '' } : document
