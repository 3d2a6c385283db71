import type { MouseEvent } from 'react'

/**
 * True for a click that navigates in this tab: the main button without a modifier key, which would open another tab or
 * window.
 */
export const isPlainClick = ({ metaKey, ctrlKey, shiftKey, altKey, button }: MouseEvent): boolean =>
  !metaKey && !ctrlKey && !shiftKey && !altKey && button === 0
