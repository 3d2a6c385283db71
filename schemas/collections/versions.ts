/**
 * Schema versions other than 0. Only `npm run schemas -- --bump <collection>` raises one: it also makes the migration
 * step.
 */
export const versions: Readonly<Record<string, number>> = {}
export const versionOf = (collection: string): number => versions[collection] ?? 0
