import { Suspense, useState } from 'react'
import { lazyCode } from '#ui/base/lazy-code.ts'
import { usePopup } from '#ui/popup/use-popup.ts'

const ScanSheet = lazyCode(async () => (await import('./scan-sheet.tsx')).ScanSheet)

/** コードの読み取り over any screen, named by `?popup=scan` (decisions/camera). */
export function ScanPopup() {
  const { isOpen, close } = usePopup('scan')
  // A URL can open the popup, but only a press starts the camera, because the browser then asks for permission.
  const [isFromAddress, setFromAddress] = useState(isOpen)
  if (!isOpen && isFromAddress) setFromAddress(false)
  return <Suspense>{isOpen && <ScanSheet startsAtOnce={!isFromAddress} onClose={close} />}</Suspense>
}
