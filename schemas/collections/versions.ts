/** Schema versions other than 0. Only `npm run schemas -- --bump <collection>` raises one, with its migration. */
export const versions: Readonly<Record<string, number>> = {}
export const versionOf = (collection: string): number => versions[collection] ?? 0
