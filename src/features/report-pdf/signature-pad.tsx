import { useLingui } from '@lingui/react/macro'
import { Eraser } from 'lucide-react'
import { type PointerEvent, useRef, useState } from 'react'
import { signatureDraft } from '#schemas/resources/visit-key.ts'
import { useLiveQuery, useServices, useUserData } from '#data/context/app-context.tsx'
import { draft$ } from '#data/drafts/drafts.ts'
import { toTokyoIso } from '#lib/time/tokyo-time.ts'
import { Button } from '#ui/controls/button.tsx'
import { LabelledField } from '#ui/controls/field.tsx'
import { TextInput } from '#ui/controls/input.tsx'
import { continued, isSigned, pointsOf, signatureIn, signed } from './signature.ts'
import { NO_SIGNATURE, PAD, SIGNER_MAX, type Signature } from './signature.ts'
import styles from './report-sheet.module.css'

interface SignaturePadProps {
  signature: Signature
  put: (signature: Signature) => void
}

/** 立会者の署名: a field for the name, and a pad on which the person signs with a finger. */
export function SignaturePad({ signature, put }: SignaturePadProps) {
  const { t } = useLingui()
  const { clock } = useServices()
  const isEmpty = signature.name === '' && signature.strokes.length === 0
  return (
    <section className={styles.body} aria-label={t`立会者の署名`}>
      <LabelledField label={t`立会者名`} help={t`署名は、この報告書にだけ入ります。CRMには送信しません。`}>
        <TextInput
          value={signature.name}
          maxLength={SIGNER_MAX}
          autoComplete="off"
          onChange={({ target }) => put({ ...signature, name: target.value })}
        />
      </LabelledField>
      <Pad
        strokes={signature.strokes}
        label={isSigned(signature) ? t`署名欄（署名あり）` : t`署名欄（未記入）`}
        hint={signature.strokes.length === 0 ? t`ここに署名` : null}
        onStroke={(stroke) => put(signed(signature, stroke, toTokyoIso(clock.now())))}
      />
      {!isEmpty && <Button icon={Eraser} wide onClick={() => put(NO_SIGNATURE)}>{t`署名を消す`}</Button>}
    </section>
  )
}

type Stroke = readonly number[]

interface PadProps {
  strokes: readonly Stroke[]
  label: string
  /** The text in an empty pad; null after the first stroke. */
  hint: string | null
  onStroke: (stroke: Stroke) => void
}

function Pad({ strokes, label, hint, onStroke }: PadProps) {
  // A ref, because React may not have rendered the last movement when the finger is lifted.
  const own = useRef<Stroke | null>(null)
  const [shown, setShown] = useState<Stroke>([])
  const draw = ({ currentTarget, clientX, clientY }: PointerEvent<SVGSVGElement>, from: Stroke) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    const point = { x: ((clientX - left) * PAD.width) / width, y: ((clientY - top) * PAD.height) / height }
    setShown((own.current = continued(from, point)))
  }
  const end = () => {
    if (own.current) onStroke(own.current)
    own.current = null
    setShown([])
  }
  return (
    <svg
      className={styles.pad}
      viewBox={`0 0 ${PAD.width} ${PAD.height}`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the user draws on the element
      role="img"
      aria-label={label}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        draw(event, [])
      }}
      onPointerMove={(event) => own.current && draw(event, own.current)}
      onPointerUp={end}
      onPointerCancel={end}
    >
      {[...strokes, shown].map((stroke, at) => (
        // The index is a stable key, because strokes are only appended.
        <polyline key={at} points={pointsOf(stroke).join(' ')} />
      ))}
      {hint !== null && shown.length === 0 && (
        <text x={PAD.width / 2} y={PAD.height / 2}>
          {hint}
        </text>
      )}
    </svg>
  )
}

/** Returns the signature of 立会者 (undefined until read) and a function that stores it in a draft, which is never sent. */
export function useSignature(visit: string): [Signature | undefined, (next: Signature) => void] {
  const drafts = useUserData()?.drafts
  const key = signatureDraft(visit)
  const stored = useLiveQuery(`signature of ${visit}`, (db) => draft$(db, key))
  const [own, setOwn] = useState<Signature>()
  const put = (next: Signature) => {
    setOwn(next)
    void (next === NO_SIGNATURE ? drafts?.drop(key) : drafts?.keep(key, next))
  }
  return [own ?? (stored && signatureIn(stored.values)), put]
}
