import { useLingui } from '@lingui/react/macro'
import { Download, Share2, TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { useServices } from '#data/context/app-context.tsx'
import { bytesText } from '#lib/bytes-text.ts'
import { AS_JSON, download, shareable, shareFile, type NamedFile } from '#lib/browser/share-file.ts'
import { fileStamp } from '#lib/time/tokyo-time.ts'
import { ActionBar } from '#ui/controls/action-bar.tsx'
import { BackLink } from '#ui/layout/app-bar.tsx'
import { Button } from '#ui/controls/button.tsx'
import { Narrow } from '#ui/layout/desk.tsx'
import { Lead } from '#ui/layout/layout.tsx'
import { Section, SectionHead } from '#ui/layout/section.tsx'
import { Switch } from '#ui/controls/switch.tsx'
import longText from '#ui/feedback/long-text.module.css'
import styles from './support-screen.module.css'
import { useAnswer } from './use-answer.ts'

/** The screen 支援ファイル: the user shares a file that helps support analyse a problem. */
export function SupportScreen() {
  const { t } = useLingui()
  const { Frame } = useServices()
  const [withContents, setWithContents] = useState(false)
  const file = useSupportFile(withContents)
  return (
    <Frame title={t`支援ファイル`} back={<BackLink to="/settings" />} footer={<ShareBar made={file} />}>
      <Narrow>
        <Lead>{t`困ったときに、調べる人へ渡すファイルです。自動では送信しません。`}</Lead>
        <Included />
        <Switch
          label={t`内容も含める`}
          note={t`報告や現場メモの内容を求められたときだけ含めてください。`}
          checked={withContents}
          onChange={setWithContents}
        />
        {withContents && <AlsoIncluded />}
        {file && file !== 'failed' && <FileText text={file.content} />}
      </Narrow>
    </Frame>
  )
}

function Included() {
  const { t } = useLingui()
  return (
    <Section heading={t`入っているもの`}>
      <ul className={styles.list}>
        <li>{t`送信を待っている件数と、それぞれの状態・時刻・結果の番号`}</li>
        <li>{t`最近24時間の通信の宛先の種類・結果・時間・量`}</li>
        <li>{t`アプリ・ブラウザー・端末の版、保存容量、動作状況`}</li>
        <li>{t`エラーの記録`}</li>
      </ul>
      <p className={styles.without}>
        {t`お客様・現場・担当者の名前、住所、電話番号、報告の内容、写真は入りません。`}
      </p>
    </Section>
  )
}

function AlsoIncluded() {
  const { t } = useLingui()
  const id = useId()
  return (
    <section aria-labelledby={id} aria-live="polite">
      <SectionHead id={id} note={t`渡す相手を確かめてください。`} noteIcon={TriangleAlert}>
        {t`さらに入るもの`}
      </SectionHead>
      <ul className={styles.list}>
        <li>{t`あなたの名前とユーザーID`}</li>
        <li>{t`まだ送信していない報告・現場メモ・変更依頼の内容`}</li>
        <li>{t`入力途中の内容（写真そのものは入りません）`}</li>
        <li>{t`CRMからの返事の文`}</li>
        <li>{t`エラーの記録の全文`}</li>
      </ul>
    </section>
  )
}

function FileText({ text }: { text: string }) {
  const { t } = useLingui()
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={longText.text} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t`ファイルの中を見る`}</summary>
      {isOpen && <pre>{text}</pre>}
    </details>
  )
}

type SupportFile = NamedFile & { content: string }

/** Returns the file; null while it is made. Made before the press, because browsers share only during a press. */
function useSupportFile(withContents: boolean): SupportFile | 'failed' | null {
  const { supportFile, clock, errorLog } = useServices()
  const made = useAnswer(withContents, async () => {
    const content = await supportFile(withContents).catch(errorLog.note)
    const name = `genba-work-${fileStamp(clock.now())}`
    return {
      withContents,
      file: content === undefined ? ('failed' as const) : { name, content, kinds: AS_JSON },
    }
  })
  // A file made with another setting of 内容も含める is not shared.
  return made?.withContents === withContents ? made.file : null
}

function ShareBar({ made }: { made: ReturnType<typeof useSupportFile> }) {
  const { t } = useLingui()
  const { flash } = useServices()
  const failed = made === 'failed'
  const file = failed ? null : made
  const sheet = file && shareable(file, navigator)
  const size = file ? bytesText(new TextEncoder().encode(file.content).length) : ''
  const save = () => {
    if (!file) return
    download(file, document)
    flash.show('success', t`支援ファイルを端末に保存しました。`)
  }
  const give = async () => {
    if (sheet && (await shareFile(sheet, navigator)) !== 'refused') return
    save()
  }
  return (
    <ActionBar
      status={size === '' ? undefined : t`ファイルの大きさ ${size}`}
      error={failed ? t`支援ファイルを作れませんでした。しばらくしてからもう一度お試しください。` : undefined}
    >
      <Button
        variant="primary"
        wide
        icon={sheet ? Share2 : Download}
        busy={!file && !failed}
        disabled={failed}
        onClick={() => void give()}
      >
        {sheet ? t`支援ファイルを共有` : t`支援ファイルを端末に保存`}
      </Button>
    </ActionBar>
  )
}
