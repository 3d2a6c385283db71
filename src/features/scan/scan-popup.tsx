import { Suspense, useState } from 'react'
import { lazyCode } from '#ui/base/lazy-code.ts'
import { usePopup } from '#ui/popup/use-popup.ts'

const ScanSheet = lazyCode(async () => (await import('./scan-sheet.tsx')).ScanSheet)

/** The popup コードの読み取り over any screen. `?popup=scan` opens it (decisions/camera). Its code is loaded on first use. */
export function ScanPopup() {
  const { isOpen, close } = usePopup('scan')
  // A popup opened by the URL waits for a press before it starts the camera, which may ask for permission.
  const [isFromAddress, setFromAddress] = useState(isOpen)
  if (!isOpen && isFromAddress) setFromAddress(false)
  return <Suspense>{isOpen && <ScanSheet startsAtOnce={!isFromAddress} onClose={close} />}</Suspense>
}
