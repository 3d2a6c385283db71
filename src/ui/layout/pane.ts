import { createContext, use } from 'react'

/** The pane of the wide layout that a screen stands in. */
export type Pane = 'list' | 'view'

/** Set by Desk, and only while it shows its panes side by side. */
export const PaneContext = createContext<Pane | null>(null)

/** The pane around this component, or null where the screen has the whole window (phones, login). */
export function usePane(): Pane | null {
  return use(PaneContext)
}
