import type { MouseEvent } from 'react'

/** True for a click that leads on in this tab: no key is pressed with it that opens another tab or window. */
export const isPlainClick = ({ metaKey, ctrlKey, shiftKey, altKey, button }: MouseEvent): boolean =>
  !metaKey && !ctrlKey && !shiftKey && !altKey && button === 0
