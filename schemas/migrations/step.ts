/**
 * How what a phone has stored becomes what a later version of a collection stores: one step for every version after 0,
 * written by `npm run schemas -- --bump <collection>`. A step is pure; it gets a document as the version before stored it,
 * and gives one of its own version. It keeps the key, `changes` and what is unsent (sync RULES SV3): nothing is moved
 * where it does not. Null drops a document, allowed for what the CRM can give again.
 */
import type { CollectionName } from '#schemas/collections/collections.ts'

/** As one version stored it, and the next one gets it: neither is a type of today. */
export type StoredDocument = Record<string, unknown>
export type Step = (document: StoredDocument) => StoredDocument | null

/** By collection and the version that the step makes. */
export type Steps = { readonly [C in CollectionName]?: Readonly<Record<number, Step>> }
