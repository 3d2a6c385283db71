import type { ReactNode } from 'react'
import { usePopup } from './use-popup.ts'

interface PopupProps {
  /** The popup's name in `?popup=`. */
  name: string
  children: (close: () => void) => ReactNode
}

/** A popup opened by `useOpenPopup`. Opening and closing it do not re-render the screen below. */
export function Popup({ name, children }: PopupProps) {
  const { isOpen, close } = usePopup(name)
  return isOpen && children(close)
}
