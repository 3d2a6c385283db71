import { createContext, use } from 'react'

/** The panes of the wide layout. */
export type Pane = 'list' | 'view'

/** The pane around a component. Desk sets it while it shows the panes side by side. */
export const PaneContext = createContext<Pane | null>(null)

/** Returns the pane around this component, or null if the screen fills the window (phones, login). */
export function usePane(): Pane | null {
  return use(PaneContext)
}
