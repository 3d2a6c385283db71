import { codeTable, type Code } from './code-table.ts'

/** What kind of order a request comes from, in full (spec 3, order flag 1–8). */
export const OrderFlag = codeTable({
  repair: ['1', '修理'],
  replacement: ['2', '取替工事'],
  construction: ['3', '工事'],
  survey: ['4', '工事調査'],
  suppliedGoods: ['5', '物販（有償支給）'],
  goods: ['6', '物販'],
  maintenance: ['7', '保守'],
  maintenanceBilling: ['8', '保守（請求）'],
})

/** The short names a row and a filter use (spec 3, order-flag names). */
export const OrderFlagName = codeTable({
  repair: ['1', '修理'],
  replacement: ['2', '取替'],
  construction: ['3', '工事'],
  survey: ['4', '調査'],
  maintenance: ['7', '保守'],
})
export type OrderFlagName = Code<typeof OrderFlagName>

const FINDS: Readonly<Partial<Record<string, readonly string[]>>> = {
  [OrderFlag.code.maintenance]: [OrderFlag.code.maintenance, OrderFlag.code.maintenanceBilling],
}

/** The flags that the filter 種別 finds by what is ticked: 保守 finds 保守（請求）, which has no box of its own. */
export const flagsFoundBy = (ticked: readonly string[]): string[] =>
  ticked.flatMap((flag) => FINDS[flag] ?? flag)

/** The short name where the flag has one, else the full one: `8` → 保守（請求）. */
export const orderFlagLabel = (flag: string) =>
  OrderFlagName.has(flag) ? OrderFlagName.label(flag) : OrderFlag.label(flag)
