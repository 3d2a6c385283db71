/**
 * Schema versions that are not 0, by collection. Only `npm run schemas -- --bump <collection>` raises one,
 * because phones in use have documents of the earlier version; it also creates the migration step
 * (decisions/updates).
 */
export const versions: Readonly<Record<string, number>> = {}

export const versionOf = (collection: string): number => versions[collection] ?? 0
