import { pushCollections } from '#schemas/push-collections.ts'

/** What the list, its badges and its counts are drawn of: whatever is written there puts out what was kept. */
export const drawnOf = [...pushCollections, 'requests', 'photos', 'ledger', 'lookups'] as const
