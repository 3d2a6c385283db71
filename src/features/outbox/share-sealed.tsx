import { useLingui } from '@lingui/react/macro'
import { Share2 } from 'lucide-react'
import { useState } from 'react'
import { useServices } from '#data/app-context.tsx'
import type { Aside } from '#data/seal/aside.ts'
import { AS_TEXT, download, shareable, shareFile } from '#lib/browser/share-file.ts'
import { fileStamp } from '#lib/time/tokyo-time.ts'
import { Button } from '#ui/controls/button.tsx'

/**
 * 封印したまま渡す: exports locked data for somebody with the recovery key, if the old password is forgotten (sync RULES SV8).
 */
export function ShareSealed({ aside }: { aside: Aside }) {
  const { t } = useLingui()
  const { clock, flash, errorLog } = useServices()
  const [isBusy, setBusy] = useState(false)
  const give = async () => {
    const file = {
      name: `genba-work-sealed-${fileStamp(clock.now())}`,
      content: await aside.bundle(),
      kinds: AS_TEXT,
    }
    const sheet = shareable(file, navigator)
    // The press may be too old for the share sheet; the file is then downloaded.
    if (sheet && (await shareFile(sheet, navigator)) !== 'refused') return
    download(file, document)
    flash.show('success', t`封印したままのファイルを端末に保存しました。管理者に渡してください。`)
  }
  const press = async () => {
    setBusy(true)
    try {
      await give()
    } catch (error) {
      errorLog.note(error)
      flash.show('danger', t`ファイルを作れませんでした。内容は端末に残っています。もう一度お試しください。`)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon={Share2} wide busy={isBusy} onClick={() => void press()}>
      {t`封印したまま管理者に渡す`}
    </Button>
  )
}
