import { createContext, use } from 'react'

export type Pane = 'list' | 'view'

/** The pane around a component. Desk sets it while the panes are side by side. */
export const PaneContext = createContext<Pane | null>(null)

/** Returns the pane around this component; null if the screen fills the window (phones, login). */
export function usePane(): Pane | null {
  return use(PaneContext)
}
