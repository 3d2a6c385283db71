import { createContext, use } from 'react'

/** The panes of the wide layout. */
export type Pane = 'list' | 'view'

/** Set by Desk while it shows its panes side by side. */
export const PaneContext = createContext<Pane | null>(null)

/** Returns the pane around this component, or null if the screen fills the window (phones, login). */
export function usePane(): Pane | null {
  return use(PaneContext)
}
