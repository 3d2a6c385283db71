import { useLingui } from '@lingui/react/macro'
import { Eraser } from 'lucide-react'
import { type PointerEvent, useRef } from 'react'
import { Button } from '#ui/controls/button.tsx'
import { LabelledField } from '#ui/controls/field.tsx'
import { TextInput } from '#ui/controls/input.tsx'
import { drawnTo, isSigned, PAD, pointsOf, SIGNER_MAX, type Signature } from './signature.ts'
import styles from './report-sheet.module.css'

interface SignaturePadProps {
  signature: Signature
  /** While a stroke is drawn. */
  change: (signature: Signature) => void
  /** The stroke has ended. */
  sign: (signature: Signature) => void
  /** The name was typed. */
  save: (signature: Signature) => void
  remove: () => void
}

/** 立会者の署名: a name, and a field to write in with a finger. */
export function SignaturePad({ signature, change, sign, save, remove }: SignaturePadProps) {
  const { t } = useLingui()
  const isEmpty = signature.name === '' && signature.strokes.length === 0
  return (
    <section className={styles.body} aria-label={t`立会者の署名`}>
      <LabelledField label={t`立会者名`} help={t`署名は、この報告書にだけ入ります。CRMには送信しません。`}>
        <TextInput
          value={signature.name}
          maxLength={SIGNER_MAX}
          autoComplete="off"
          onChange={({ target }) => save({ ...signature, name: target.value })}
        />
      </LabelledField>
      <Pad signature={signature} change={change} sign={sign} />
      {!isEmpty && <Button icon={Eraser} wide onClick={remove}>{t`署名を消す`}</Button>}
    </section>
  )
}

function Pad({ signature, change, sign }: Pick<SignaturePadProps, 'signature' | 'change' | 'sign'>) {
  const { t } = useLingui()
  const latest = useRef<Signature | null>(null)
  const draw = (event: PointerEvent<SVGSVGElement>, isNew: boolean) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    const point = {
      x: ((event.clientX - left) * PAD.width) / width,
      y: ((event.clientY - top) * PAD.height) / height,
    }
    latest.current = drawnTo(latest.current ?? signature, point, isNew)
    change(latest.current)
  }
  const end = () => {
    if (latest.current) sign(latest.current)
    latest.current = null
  }
  return (
    <svg
      className={styles.pad}
      viewBox={`0 0 ${PAD.width} ${PAD.height}`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn on
      role="img"
      aria-label={isSigned(signature) ? t`署名欄（署名あり）` : t`署名欄（未記入）`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        draw(event, true)
      }}
      onPointerMove={(event) => latest.current && draw(event, false)}
      onPointerUp={end}
      onPointerCancel={end}
    >
      {signature.strokes.map((stroke, at) => (
        // strokes are only added at the end
        <polyline key={at} points={pointsOf(stroke).join(' ')} />
      ))}
    </svg>
  )
}
