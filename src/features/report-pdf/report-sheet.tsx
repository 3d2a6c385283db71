import { useLingui } from '@lingui/react/macro'
import {
  CircleX,
  Download,
  ExternalLink,
  FileText,
  Images,
  QrCode,
  Share2,
  TriangleAlert,
} from 'lucide-react'
import { useEffect, useState, useRef } from 'react'
import { useServices, useUserData } from '#data/context/app-context.tsx'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { bytesText } from '#lib/bytes-text.ts'
import { inJapanese } from '#lib/language.ts'
import { cannotDownload } from '#lib/browser/user-agent.ts'
import { download, shareable, shareFile, type NamedFile } from '#lib/browser/share-file.ts'
import { Button, ButtonAnchor } from '#ui/controls/button.tsx'
import { RadioGroup } from '#ui/controls/choice.tsx'
import { Mark } from '#ui/feedback/mark.tsx'
import { Meter } from '#ui/controls/meter.tsx'
import { Sheet } from '#ui/popup/sheet.tsx'
import { Problem, ReportOnDevice } from './on-device.tsx'
import styles from './report-sheet.module.css'
import { type LabelSheet, drawLabels } from './labels.ts'
import { SignaturePad, useSignature } from './signature-pad.tsx'
import { useReportWords } from './report-words.ts'
import { useDayPhotos, useDeviceLabels, useReportFacts } from './use-report-facts.ts'
import { fileNameOf, type WorkReport, drawReport, pictureOf } from './work-report.ts'
import { chainsOf } from '#data/drafts/photo-chains.ts'
import { proofOf } from '#lib/image/photo-chain.ts'
import { loadWriter, type WriterMissing } from './report-font.ts'

/** Delay in ms before a file's URL is revoked, because a tab opened with it may still be reading. */
const URL_VALID_MS = 60_000

const AS_PDF: NamedFile['kinds'] = [{ ending: 'pdf', type: 'application/pdf' }]

/** Makes 作業報告書 of a visit, 写真台帳 of its day, and QR labels as PDF files. The files are not sent to the CRM. */
export function ReportSheet({ request, onClose }: { request: RequestRecord; onClose: () => void }) {
  const { t } = useLingui()
  const { making, make, stop } = useMaking()
  const isUnderWay = making.state === 'making'
  const percent = isUnderWay ? making.percent : 0
  return (
    <Sheet heading={t`作業報告書`} onClose={onClose}>
      <div className={styles.body}>
        <p>{t`この端末にある内容から、PDFを作成します。CRMには送信しません。`}</p>
        {isUnderWay && (
          <>
            <output className="num">{t`作成しています ${percent}%`}</output>
            <Meter value={percent} max={100} />
            <Button icon={CircleX} wide onClick={stop}>{t`やめる`}</Button>
          </>
        )}
        {making.state === 'made' && <Made {...making} />}
        <div className={styles.body} hidden={isUnderWay}>
          <Choices request={request} isMade={making.state === 'made'} onMake={make} />
        </div>
        {making.state === 'problem' && <Problem why={making.why} />}
        {making.state === 'none' && <ReportOnDevice />}
      </div>
    </Sheet>
  )
}

interface ChoicesProps {
  request: RequestRecord
  isMade: boolean
  onMake: (report: WorkReport | LabelSheet) => Promise<void>
}

function Choices({ request, isMade, onMake }: ChoicesProps) {
  const { t } = useLingui()
  const facts = useReportFacts(request)
  const dayPhotos = useDayPhotos(request.workingDate)
  const labels = useDeviceLabels(request)
  const { workReport, photoLedger } = useReportWords()
  const [chosen, setChosen] = useState<'2' | '6'>('2')
  const [signature, put] = useSignature(request.key)
  const perSheet = chosen === '2' ? 2 : 6
  const count = facts?.photos.length ?? 0
  const ofDay = dayPhotos.length
  const machines = labels.length
  const ledger = () => void onMake(photoLedger(dayPhotos, request.workingDate, perSheet))
  const qr = () => void onMake({ title: inJapanese(() => t`QRラベル ${request.locationName}`), labels })
  return (
    <>
      {signature && <SignaturePad signature={signature} put={put} />}
      {count + ofDay > 0 && (
        <RadioGroup
          legend={t`写真 ${count}枚`}
          value={chosen}
          onChange={setChosen}
          options={[
            { value: '2', label: t`1ページに2枚` },
            { value: '6', label: t`1ページに6枚` },
          ]}
        />
      )}
      <Button
        variant={isMade ? 'quiet' : 'primary'}
        icon={FileText}
        wide
        busy={!facts || !signature}
        onClick={() => facts && signature && void onMake(workReport(facts, signature, perSheet))}
      >
        {isMade ? t`もう一度作成` : t`作成`}
      </Button>
      {ofDay > 0 && (
        <Button icon={Images} wide onClick={ledger}>
          {t`この日の写真台帳を作成（${ofDay}枚）`}
        </Button>
      )}
      {machines > 0 && (
        <Button icon={QrCode} wide onClick={qr}>
          {t`この現場の機器のQRラベルを作成（${machines}台）`}
        </Button>
      )}
    </>
  )
}

function Made({ file, missing, title }: Extract<Making, { state: 'made' }>) {
  const { t } = useLingui()
  const { flash } = useServices()
  const url = useObjectUrl(file)
  const size = bytesText(file.size)
  const letters = missing.join(' ')
  const named: NamedFile = { name: fileNameOf(title), content: file, kinds: AS_PDF }
  const sheet = shareable(named, navigator)
  const save = () => {
    download(named, document)
    flash.show('success', t`PDFを端末に保存しました。`)
  }
  const share = async (ready: File) => {
    if ((await shareFile(ready, navigator)) !== 'refused') return
    flash.show('warning', t`共有できませんでした。「開く・印刷」で開いて、そこから共有か保存をしてください。`)
  }
  return (
    <section aria-label={title} className={styles.made}>
      <strong lang="ja">{title}</strong>
      <output>{t`作成しました（${size}）`}</output>
      {missing.length > 0 && (
        <Mark icon={TriangleAlert} tone="warn">
          {t`文字のデータにない文字は〓で表しました：${letters}`}
        </Mark>
      )}
      {sheet && (
        <Button variant="primary" icon={Share2} wide onClick={() => void share(sheet)}>{t`共有`}</Button>
      )}
      <ButtonAnchor href={url} target="_blank" rel="noreferrer" icon={ExternalLink} wide>
        {t`開く・印刷`}
      </ButtonAnchor>
      {!cannotDownload(navigator) && <Button icon={Download} wide onClick={save}>{t`端末に保存`}</Button>}
    </section>
  )
}

function useObjectUrl(file: Blob): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(file)
    // oxlint-disable-next-line react/set-state-in-effect -- the URL exists only while the effect is active
    setUrl(made)
    return () => void setTimeout(() => URL.revokeObjectURL(made), URL_VALID_MS)
  }, [file])
  return url
}

type Making =
  | { state: 'none' }
  | { state: 'making'; percent: number }
  | { state: 'problem'; why: WriterMissing | 'failed' }
  | { state: 'made'; title: string; file: Blob; missing: readonly string[] }

/** Makes a report or labels from the data on the device. Unmounting aborts it. */
function useMaking() {
  const { errorLog, photo } = useServices()
  const data = useUserData()
  const [making, setMaking] = useState<Making>({ state: 'none' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const made = async (report: WorkReport | LabelSheet, signal: AbortSignal): Promise<Making> => {
    const writer = await loadWriter(signal)
    if (typeof writer === 'string') return { state: 'problem', why: writer }
    if (!data) return { state: 'problem', why: 'failed' }
    const { bytes, db } = data
    const sheets = await writer.createSheets(writer.font)
    const drawing = {
      signal,
      breathe,
      onProgress: (done: number) => setMaking({ state: 'making', percent: Math.round(done * 100) }),
    }
    const file = await ('labels' in report
      ? drawLabels(report, sheets, drawing)
      : drawReport(report, sheets, {
          ...drawing,
          pictureOf: async (key, count) => pictureOf(key, count, { bytes, jobs: await photo.jobs() }),
          proofOf: async (photos) => proofOf(await chainsOf(db), photos),
        }))
    return { state: 'made', title: report.title, file, missing: sheets.missing() }
  }
  return {
    making,
    async make(report: WorkReport | LabelSheet) {
      running.current?.abort()
      const own = new AbortController()
      running.current = own
      setMaking({ state: 'making', percent: 0 })
      const end = await made(report, own.signal).catch((error: unknown): Making => {
        if (!own.signal.aborted) errorLog.note(error)
        return { state: 'problem', why: 'failed' }
      })
      if (!own.signal.aborted) setMaking(end)
    },
    stop() {
      running.current?.abort()
      setMaking({ state: 'none' })
    },
  }
}

/** Resolves in the next task, so that the page can render and respond meanwhile. */
const breathe = () => new Promise<void>((done) => void setTimeout(done, 0))
