/**
 * Migration steps of stored documents, one for every version after 0, created by `npm run schemas -- --bump
 * <collection>`. A step is pure: it converts a document of the previous version to the next one. It must not
 * change the key, `changes` or what is unsent (sync RULES SV3), else the migration is refused. Null drops a
 * document, which is only allowed for data that the CRM has.
 */
import type { CollectionName } from '#schemas/collections/collections.ts'

/** A document of any version; no current type describes it. */
export type StoredDocument = Record<string, unknown>
/** Converts a document to the next version. @returns null to drop a document that the CRM has */
export type Step = (document: StoredDocument) => StoredDocument | null

/** Steps by collection and resulting version. */
export type Steps = { readonly [C in CollectionName]?: Readonly<Record<number, Step>> }
