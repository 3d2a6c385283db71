/** A row of `request/search` (crm-contract 4). */
export function requestRows(count: number, now: number): object[]
export function detailOfRow(i: number): object
