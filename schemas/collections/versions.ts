/**
 * Schema versions other than 0, by collection. Only `npm run schemas -- --bump <collection>` raises a version,
 * because it also creates the migration step for documents on phones (decisions/updates).
 */
export const versions: Readonly<Record<string, number>> = {}

export const versionOf = (collection: string): number => versions[collection] ?? 0
