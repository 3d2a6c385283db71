/** Schema versions other than 0. `npm run schemas -- --bump <collection>` raises one, with its migration step. */
export const versions: Readonly<Record<string, number>> = {}
export const versionOf = (collection: string): number => versions[collection] ?? 0
