/**
 * Migration steps of stored documents, one for each version after 0. `npm run schemas -- --bump <collection>` creates
 * a step. A step converts a document to the next version. A migration that changes the key, `changes` or unsent work
 * is refused (sync RULES SV3).
 */
import type { CollectionName } from '#schemas/collections/collections.ts'

/** A document of any version. No current type describes it. */
export type StoredDocument = Record<string, unknown>
/** Converts a document to the next version. @returns null to delete a document that the CRM has */
export type Step = (document: StoredDocument) => StoredDocument | null

/** Steps by collection and by the version that they produce. */
export type Steps = { readonly [C in CollectionName]?: Readonly<Record<number, Step>> }
