import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { CircleCheck, CircleHelp, FileSearch, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useServices } from '#data/context/app-context.tsx'
import { sha256, verified, type Verdict, type Verified, type HashedFile } from '#lib/image/photo-chain.ts'
import { BackLink } from '#ui/layout/app-bar.tsx'
import { Narrow } from '#ui/layout/desk.tsx'
import { Lead, Pad } from '#ui/layout/layout.tsx'
import { Mark } from '#ui/feedback/mark.tsx'
import { AddPhoto, AddPhotos } from '#ui/photo/photo.tsx'
import { SectionHead } from '#ui/layout/section.tsx'
import styles from './verify-screen.module.css'

/** The screen 写真の照合: compares photos with a report's PDF, offline and without a login. The files stay on the device. */
export function VerifyScreen() {
  const { t } = useLingui()
  const { Frame } = useServices()
  const [result, setResult] = useState<Verified | NoComparison | 'none' | 'comparing'>('none')
  const compare = async (files: readonly File[]) => {
    if (files.length === 0) return
    setResult('comparing')
    setResult(await compareFiles(files))
  }
  return (
    <Frame title={t`写真の照合`} back={<BackLink to="/settings" />}>
      <Narrow>
        <Lead>{t`作業報告書か写真台帳のPDFと、その写真をまとめて選んでください。あとから変わっていないかを、この端末だけで確かめます。ファイルは送信しません。`}</Lead>
        <Pad>
          <AddPhotos>
            <AddPhoto
              icon={FileSearch}
              label={t`PDFと写真を選ぶ`}
              accept="application/pdf,image/*"
              disabled={result === 'comparing'}
              onFiles={(files) => void compare(files)}
            />
          </AddPhotos>
          <p
            className={styles.note}
          >{t`第三者による証明ではありません。PDFと写真の両方を作り直したものは、見分けられません。`}</p>
        </Pad>
        <output className={styles.output}>
          {result === 'comparing' && <Lead>{t`照合しています…`}</Lead>}
          {result !== 'comparing' && result !== 'none' && <Outcome result={result} />}
        </output>
      </Narrow>
    </Frame>
  )
}

function Outcome({ result }: { result: Verified | NoComparison }) {
  const { t, i18n } = useLingui()
  if (typeof result === 'string')
    return (
      <Pad>
        <Mark icon={TriangleAlert} tone="warn">
          {i18n._(WHY_NOT[result])}
        </Mark>
      </Pad>
    )
  const { isIntact, photos } = result
  const total = photos.filter(({ verdict }) => verdict !== 'unknown').length
  const same = photos.filter(({ verdict }) => verdict === 'unchanged').length
  const isAll = isIntact && same === total
  return (
    <>
      <SectionHead>
        {isAll ? t`${total}枚すべて変更なし` : t`${total}枚のうち${same}枚が変更なし`}
      </SectionHead>
      <Pad>
        {!isIntact && (
          <Mark icon={TriangleAlert} tone="warn">
            {t`PDFの中の写真の記録が書き換えられています。下の結果は確かではありません。`}
          </Mark>
        )}
        <ul className={styles.list}>
          {photos
            .toSorted((a, b) => Number(a.verdict === 'unchanged') - Number(b.verdict === 'unchanged'))
            .map(({ name, verdict, fileName }, at) => (
              <li key={`${at} ${name}`}>
                <Mark {...VERDICTS[verdict][0]}>{i18n._(VERDICTS[verdict][1])}</Mark>
                <bdi>{name}</bdi>
                {fileName !== undefined && <bdi>{t`選んだファイル：${fileName}`}</bdi>}
              </li>
            ))}
        </ul>
      </Pad>
    </>
  )
}

const WARN = { icon: TriangleAlert, tone: 'warn' } as const
const VERDICTS = {
  unchanged: [{ icon: CircleCheck, tone: 'in' }, msg`変更なし`],
  changed: [WARN, msg`中身が違う`],
  missing: [WARN, msg`選んだ中にない`],
  order: [WARN, msg`ほかの写真と入れ替わっている`],
  renamed: [WARN, msg`中身は同じで、名前が違う`],
  unknown: [{ icon: CircleHelp, tone: 'plain' }, msg`このPDFに記録のないファイル`],
} as const satisfies Record<Verdict, unknown>

const WHY_NOT: Readonly<Record<NoComparison, ReturnType<typeof msg>>> = {
  'no-pdf': msg`PDFがありません。作業報告書か写真台帳のPDFも一緒に選んでください。`,
  'several-pdfs': msg`PDFが二つ以上あります。一つだけ選んでください。`,
  'too-large': msg`大きすぎるファイルがあります。60MBまでのものを選んでください。`,
  unreadable: msg`読めないファイルがあります。もう一度選んでください。`,
  'no-record': msg`このPDFに写真の記録がありません。このアプリで作成した作業報告書か写真台帳を選んでください。`,
  'not-here': msg`PDFを読む部品がまだこの端末にありません。電波の届く場所で一度この画面を使うと、次からは電波がなくても使えます。`,
}

/** Why files cannot be compared. `not-here`: the code for reading PDFs is neither on the device nor reachable. */
export type NoComparison = 'no-pdf' | 'several-pdfs' | 'too-large' | 'unreadable' | 'no-record' | 'not-here'

/** Maximum size of one file in bytes. A PDF of this app has at most 10 MB, a photo at most 50 MB. */
export const FILE_MAX_BYTES = 60 * 1024 * 1024

const isPdf = (head: Uint8Array) => String.fromCharCode(...head.subarray(0, 5)) === '%PDF-'

async function compareFiles(files: readonly File[]): Promise<Verified | NoComparison> {
  if (files.some(({ size }) => size > FILE_MAX_BYTES)) return 'too-large'
  const pdfs: ArrayBuffer[] = []
  const others: HashedFile[] = []
  try {
    for (const file of files) {
      const bytes = await file.arrayBuffer()
      if (isPdf(new Uint8Array(bytes, 0, Math.min(5, bytes.byteLength)))) pdfs.push(bytes)
      else others.push({ name: file.name, hash: await sha256(bytes) })
    }
  } catch {
    return 'unreadable'
  }
  const [pdf, second] = pdfs
  if (!pdf) return 'no-pdf'
  if (second) return 'several-pdfs'
  const reader = await import('./read-proof.ts').catch(() => null)
  if (!reader) return 'not-here'
  const proof = await reader.readProof(pdf).catch(() => 'unreadable' as const)
  if (proof === 'unreadable') return proof
  return proof ? verified(proof, others) : 'no-record'
}
