import type { Page } from './page-port.ts'
import type { Slot } from './slots.ts'

/** One open page. */
export interface Tab {
  slot: Slot
  page: Page | null
  name: string
  alive: boolean
  isStopping: boolean
  /** It is being closed: to be dropped where it dies meanwhile. */
  closing?: Page | null
  stopped: boolean
  /** It has died, and was not closed. */
  isDead: boolean
  thawsAt: number
  /** It dies after so many more steps. */
  strikeIn: number
}

export const newTab = (slot: Slot, name: string): Tab => ({
  slot,
  page: null,
  name,
  alive: true,
  isStopping: false,
  stopped: false,
  isDead: false,
  thawsAt: 0,
  strikeIn: 0,
})

/** People look at the tab that was opened last, which need not be the one that leads. */
export function lookAtLast(tabs: readonly Tab[], isVisible: boolean): void {
  for (const tab of tabs) tab.page?.visible(isVisible && tab === tabs.at(-1))
}
