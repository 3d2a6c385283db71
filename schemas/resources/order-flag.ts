/** Labels of order flags (spec 3), and the flags that the filter 種別 finds. */
import { OrderFlag, OrderFlagName } from '#schemas/codes.ts'

/** By ticked flag, the flags that it finds. A flag that is not listed finds only itself. */
const MATCHES: Readonly<Partial<Record<string, readonly string[]>>> = {
  [OrderFlag.code.maintenance]: [OrderFlag.code.maintenance, OrderFlag.code.maintenanceBilling],
}

/** The flags that the filter 種別 finds. 保守 also finds 保守（請求）, which has no checkbox. */
export const flagsFoundBy = (ticked: readonly string[]): string[] =>
  ticked.flatMap((flag) => MATCHES[flag] ?? flag)

/** The short name of a flag, or its full name without one: `8` → 保守（請求）. */
export const orderFlagLabel = (flag: string) =>
  OrderFlagName.has(flag) ? OrderFlagName.label(flag) : OrderFlag.label(flag)
