/** The camera popup over a form. `?popup=camera` in the URL opens it; back, 閉じる and Escape close it (decisions/camera). */
import { useLingui } from '@lingui/react/macro'
import {
  Camera,
  ChevronLeft,
  ChevronRight,
  Flashlight,
  FlashlightOff,
  Layers2,
  X,
  type LucideIcon,
} from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react'
import { useServices, useValue } from '#data/context/app-context.tsx'
import { Button } from '#ui/controls/button.tsx'
import { FlashBanner } from '#ui/feedback/flash.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { Modal } from '#ui/popup/sheet.tsx'
import { usePopupPhase } from '#ui/popup/use-popup.ts'
import type { StopReason } from './open-camera.ts'
import { canShoot, useCamera, type CameraOptions, type CameraState } from './use-camera.ts'
import styles from './camera-popup.module.css'
import viewer from '#ui/photo/viewer.module.css'

interface CameraPopupProps extends CameraOptions {
  last: ReactNode
  /** Earlier photos of the same site with keys, newest first, which 前回の写真 lays over the camera's picture. */
  previous: readonly ReactNode[]
  /** The button 写真を追加, shown on a device without a camera. */
  picker: ReactNode
  onClose: () => void
  onEnd: () => void
}

export function CameraPopup(props: CameraPopupProps) {
  const { onShot, startsAtOnce, last, picker, onClose, onEnd } = props
  const { t } = useLingui()
  const id = useId()
  const phase = usePopupPhase()
  const previous = usePrevious(props.previous)
  const { state, video, ask, shoot, toggleTorch } = useCamera({ startsAtOnce, onShot })
  const onUnmount = useEffectEvent(onEnd)
  useEffect(() => () => onUnmount(), [])
  const live = state.phase.kind === 'live' ? state.phase : null
  const isStopped = state.phase.kind === 'stopped'
  return (
    <Modal labelledBy={id} look={viewer.viewer} onClose={onClose} phase={phase}>
      {(leave) => (
        <div className={styles.inside} data-shooting={state.isShooting || undefined}>
          <header className={styles.head}>
            <h2 id={id}>{t`カメラ`}</h2>
            <span className="num">{live && t`${live.size.width} × ${live.size.height}`}</span>
            <Tool icon={X} onClick={leave}>{t`閉じる`}</Tool>
          </header>
          <div className={styles.stage}>
            <video ref={video} className={styles.picture} hidden={!live} playsInline muted />
            {live && previous.shown && <div className={styles.overlay}>{previous.shown}</div>}
          </div>
          <div className={isStopped ? styles.stopped : styles.status}>
            <output>
              <CameraText state={state} />
            </output>
            {isStopped && (
              <>
                <Button variant="primary" wide icon={Camera} onClick={ask}>{t`カメラを使う`}</Button>
                {picker}
              </>
            )}
            <NewBanners />
          </div>
          <div className={styles.more}>
            {live && <Light torch={live.torch} onClick={toggleTorch} />}
            {live && <PreviousTools {...previous} />}
          </div>
          <div className={styles.tools}>
            <div className={styles.last}>{state.stored > 0 && last}</div>
            <button
              type="button"
              className={styles.shutter}
              aria-label={t`撮影`}
              aria-disabled={!canShoot(state)}
              data-first-focus
              onClick={() => canShoot(state) && shoot()}
            />
          </div>
        </div>
      )}
    </Modal>
  )
}

function CameraText({ state: { phase, isMissed, stored } }: { state: CameraState }) {
  const { t } = useLingui()
  if (phase.kind === 'opening') return t`カメラを準備しています`
  if (phase.kind === 'live') {
    if (isMissed) return t`撮影できませんでした。もう一度押してください。`
    return stored > 0 ? t`${stored}枚撮影しました` : t`ボタンを押すと撮影します`
  }
  return (
    <>
      <StopText why={phase.why} />
      {stored > 0 && t`${stored}枚撮影しました。`}
    </>
  )
}

/** Says why the camera shows no picture, and what the user can do. */
export function StopText({ why }: { why: StopReason }) {
  const { t } = useLingui()
  const reasons = {
    unasked: t`「カメラを使う」を押すと始まります。`,
    hidden: t`画面を離れたので、カメラを止めました。`,
    ended: t`カメラが止まりました。ほかのアプリが使っていないか確認してください。`,
    refused: t`カメラの使用が許可されていません。端末かブラウザの設定で許可してください。`,
    missing: t`この端末でカメラが見つかりません。`,
    busy: t`カメラを使えません。ほかのアプリやタブが使っていないか確認してください。`,
    unsupported: t`このブラウザでは、アプリの中のカメラを使えません。`,
    failed: t`カメラを使えませんでした。`,
  }
  return reasons[why]
}

/** The banners about photos that were not stored. The popup repeats them because it covers the page's own banners. */
function NewBanners() {
  const { flash } = useServices()
  const banners = useValue(flash)
  const [shownBefore] = useState(banners)
  return banners
    .filter((each) => !shownBefore.includes(each) && (each.mode === 'danger' || each.mode === 'info'))
    .map(({ id, mode, title, text }) => (
      <FlashBanner key={id} mode={mode} title={title} text={text} onClose={() => flash.dismiss(id)} />
    ))
}

function usePrevious(all: readonly ReactNode[]) {
  const [isOn, setOn] = useState(false)
  const [index, setIndex] = useState(0)
  const step = (by: -1 | 1) => setIndex((before) => (before + by + all.length) % all.length)
  return { count: all.length, shown: isOn ? all[index] : undefined, isOn, toggle: () => setOn(!isOn), step }
}

function PreviousTools({ count, isOn, toggle, step }: ReturnType<typeof usePrevious>) {
  const { t } = useLingui()
  if (count === 0) return null
  return (
    <>
      <Tool icon={Layers2} isOn={isOn} onClick={toggle}>{t`前回の写真`}</Tool>
      {isOn && count > 1 && (
        <div className={styles.steps}>
          <Tool icon={ChevronLeft} label={t`前の写真`} onClick={() => step(1)} />
          <Tool icon={ChevronRight} label={t`次の写真`} onClick={() => step(-1)} />
        </div>
      )}
    </>
  )
}

/** The switch of the camera's light; nothing if the camera has no light. */
export function Light({ torch, onClick }: { torch: 'none' | 'off' | 'on'; onClick: () => void }) {
  const { t } = useLingui()
  if (torch === 'none') return null
  const isOn = torch === 'on'
  return <Tool icon={isOn ? Flashlight : FlashlightOff} isOn={isOn} onClick={onClick}>{t`ライト`}</Tool>
}

interface ToolProps {
  icon: LucideIcon
  label?: string
  isOn?: boolean
  onClick: () => void
  children?: ReactNode
}

export function Tool({ icon, label, isOn, onClick, children }: ToolProps) {
  return (
    <button type="button" className={styles.tool} aria-label={label} aria-pressed={isOn} onClick={onClick}>
      <Icon as={icon} />
      {children}
    </button>
  )
}
