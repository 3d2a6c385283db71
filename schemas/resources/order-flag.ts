/** How the flags of spec 3 are shown, and found by the filter 種別. */
import { OrderFlag, OrderFlagName } from '#schemas/codes.ts'

const FINDS: Readonly<Partial<Record<string, readonly string[]>>> = {
  [OrderFlag.code.maintenance]: [OrderFlag.code.maintenance, OrderFlag.code.maintenanceBilling],
}

/** The flags that the filter 種別 finds by what is ticked: 保守 finds 保守（請求）, which has no box of its own. */
export const flagsFoundBy = (ticked: readonly string[]): string[] =>
  ticked.flatMap((flag) => FINDS[flag] ?? flag)

/** The short name where the flag has one, else the full one: `8` → 保守（請求）. */
export const orderFlagLabel = (flag: string) =>
  OrderFlagName.has(flag) ? OrderFlagName.label(flag) : OrderFlag.label(flag)
