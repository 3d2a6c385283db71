import type { ReactNode } from 'react'
import { usePopup } from './use-popup.ts'

interface PopupProps {
  /** The popup's name in the URL. */
  name: string
  children: (close: () => void) => ReactNode
}

/** A popup opened by `useOpenPopup`. It does not re-render the screen below it. */
export function Popup({ name, children }: PopupProps) {
  const { isOpen, close } = usePopup(name)
  return isOpen && children(close)
}
