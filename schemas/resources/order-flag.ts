/** Labels of order flags (spec 3), and how the filter 種別 matches them. */
import { OrderFlag, OrderFlagName } from '#schemas/codes.ts'

/** The order flags that a ticked flag matches, if not only itself. */
const MATCHES: Readonly<Partial<Record<string, readonly string[]>>> = {
  [OrderFlag.code.maintenance]: [OrderFlag.code.maintenance, OrderFlag.code.maintenanceBilling],
}

/** The flags that the filter 種別 matches. A ticked 保守 also matches 保守（請求）, which has no checkbox. */
export const flagsFoundBy = (ticked: readonly string[]): string[] =>
  ticked.flatMap((flag) => MATCHES[flag] ?? flag)

/** The short name of a flag, else its full name: `8` → 保守（請求）. */
export const orderFlagLabel = (flag: string) =>
  OrderFlagName.has(flag) ? OrderFlagName.label(flag) : OrderFlag.label(flag)
