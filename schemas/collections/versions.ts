/**
 * The version of each collection's schema, where it is not 0. A phone in use has documents of the version before: raised by
 * `npm run schemas -- --bump <collection>` only, which writes the step between the two as well (decisions/updates).
 */
export const versions: Readonly<Record<string, number>> = {}

export const versionOf = (collection: string): number => versions[collection] ?? 0
