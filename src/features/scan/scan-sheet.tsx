import { useLingui } from '@lingui/react/macro'
import { Camera, ImageUp, RotateCw, ScanLine, X } from 'lucide-react'
import { useId } from 'react'
import { visibleLine } from '#schemas/text.ts'
import { Light, StopText, Tool } from '#features/camera/camera-popup.tsx'
import camera from '#features/camera/camera-popup.module.css'
import { useCamera, type CameraState } from '#features/camera/use-camera.ts'
import { pastDayText } from '#lib/time/tokyo-time.ts'
import { Button } from '#ui/controls/button.tsx'
import { AddPhoto } from '#ui/photo/photo.tsx'
import { Modal } from '#ui/popup/sheet.tsx'
import { usePopupPhase } from '#ui/popup/use-popup.ts'
import type { ScanTarget } from './code-meaning.ts'
import { useScan, type Scanned } from './use-scan.ts'
import styles from './scan-sheet.module.css'
import viewer from '#ui/photo/viewer.module.css'

const noShot = async () => false

/** The popup コードの読み取り. It reads a code with the camera or from a picture, and opens its request or machine. */
export function ScanSheet({ startsAtOnce, onClose }: { startsAtOnce: boolean; onClose: () => void }) {
  const { t } = useLingui()
  const id = useId()
  const phase = usePopupPhase()
  const { state, video, ask, toggleTorch } = useCamera({ startsAtOnce, onShot: noShot })
  const live = state.phase.kind === 'live' ? state.phase : null
  const scan = useScan(video, live !== null, phase !== 'leaving')
  const isStopped = state.phase.kind === 'stopped'
  return (
    <Modal labelledBy={id} look={viewer.viewer} onClose={onClose} phase={phase}>
      {(leave) => (
        <div className={camera.inside}>
          <header className={camera.head}>
            <h2 id={id}>{t`コードの読み取り`}</h2>
            <span />
            <Tool icon={X} onClick={leave}>{t`閉じる`}</Tool>
          </header>
          <div className={camera.stage}>
            <video ref={video} className={camera.picture} hidden={!live} playsInline muted />
            {live && <div className={scan.scanned ? styles.cover : styles.frame} />}
          </div>
          <div className={scan.scanned || isStopped ? camera.stopped : camera.status}>
            <output>
              {scan.scanned ? <ScannedText scanned={scan.scanned} /> : <Progress state={state} scan={scan} />}
            </output>
            {scan.scanned && <Next scanned={scan.scanned} scan={scan} isLive={live !== null} />}
            {isStopped && (
              <Button variant="primary" wide icon={Camera} onClick={ask}>{t`カメラを使う`}</Button>
            )}
          </div>
          <div className={styles.tools}>
            {live && <Light torch={live.torch} onClick={toggleTorch} />}
            <AddPhoto
              icon={ImageUp}
              label={t`写真から読み取る`}
              accept="image/*"
              isOne
              disabled={scan.isReading}
              onFiles={([file]) => void (file && scan.readFile(file))}
            />
          </div>
        </div>
      )}
    </Modal>
  )
}

type Scan = ReturnType<typeof useScan>

function Progress({ state, scan }: { state: CameraState; scan: Scan }) {
  const { t } = useLingui()
  if (scan.isReading) return t`写真を読み取っています…`
  if (state.phase.kind === 'opening') return t`カメラを準備しています`
  if (state.phase.kind === 'stopped') return <StopText why={state.phase.why} />
  if (scan.isLate) return t`コードが見つかりません。近づけるか、明るくしてください。写真からも読み取れます。`
  return t`機器や書類のQRコード・バーコードを映してください`
}

function ScannedText({ scanned }: { scanned: Scanned }) {
  const { t } = useLingui()
  if (scanned.kind === 'choose') return t`どれを開きますか`
  if (scanned.kind === 'unknown')
    return (
      <>
        {t`このコードの依頼も機器も、この端末にありません。`}
        {scanned.texts.slice(0, SHOWN_MAX).map((text) => (
          <ReadText key={text} text={text} />
        ))}
      </>
    )
  const texts = {
    'no-code': t`この写真にコードは見つかりません。コードが大きく写った写真を選んでください。`,
    'no-picture': t`この写真を開けません。JPEGかPNGの写真を選んでください。`,
    'not-here': t`コードを読み取る部品がまだこの端末にありません。電波の届く場所で一度開くと、次からは電波がなくても読み取れます。`,
    failed: t`この端末では、この写真を読み取れませんでした。`,
  }
  return texts[scanned.why]
}

const SHOWN_MAX = 3
const TEXT_MAX = 120

/** A code's text, shortened. It is never a link, because anybody can make a code. */
function ReadText({ text }: { text: string }) {
  const { t } = useLingui()
  const characters = Array.from(visibleLine(text.slice(0, 4 * TEXT_MAX)))
  const shown = characters.slice(0, TEXT_MAX).join('')
  return (
    <span className={styles.read}>
      <span>{t`読み取った内容`}</span>
      <bdi>{characters.length > TEXT_MAX ? `${shown}…` : shown || t`（文字なし）`}</bdi>
    </span>
  )
}

function Next({ scanned, scan, isLive }: { scanned: Scanned; scan: Scan; isLive: boolean }) {
  const { t } = useLingui()
  return (
    <>
      {scanned.kind === 'choose' &&
        scanned.targets.map((target) => (
          <Button key={keyOf(target)} wide tall icon={ScanLine} onClick={() => void scan.show(target)}>
            <TargetName target={target} />
          </Button>
        ))}
      {isLive && (
        <Button
          variant={scanned.kind === 'choose' ? 'quiet' : 'primary'}
          wide
          icon={RotateCw}
          onClick={scan.again}
        >{t`もう一度読み取る`}</Button>
      )}
    </>
  )
}

const keyOf = (target: ScanTarget) => (target.kind === 'request' ? target.id : `device ${target.deviceId}`)

function TargetName({ target }: { target: ScanTarget }) {
  const { t } = useLingui()
  if (target.kind === 'device') return t`過去報告 ${target.deviceId} ${target.place ?? ''}`
  const { row, id } = target
  return row ? `${row.requestCode} ${row.locationName} ${pastDayText(row.workingDate)}` : t`依頼 ${id}`
}
