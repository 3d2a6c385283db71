import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react/macro'
import { Check, History, OctagonAlert, Siren, Plus, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { useRequest } from '#data/visits/use-visits.ts'
import type { FormPhotos } from '#features/photo/use-form-photos.ts'
import { focusFirstError } from '#form/focus-first-error.ts'
import { Icon } from '#ui/base/icon.tsx'
import { Button, ButtonLink } from '#ui/controls/button.tsx'
import { Sheet } from '#ui/popup/sheet.tsx'
import styles from './sheet-form.module.css'
import { inJapanese } from '#lib/language.ts'
import { visitFacts } from './draw-sheet.ts'
import { SheetProblemText, useFillingIn } from './use-sheet-picture.ts'
import {
  isFilledIn,
  type SheetSpec,
  fieldProblem,
  withText,
  type SheetField,
  type SheetValues,
} from './sheet-spec.ts'
import { useNow } from '#data/context/use-now.ts'
import { toHalfAscii } from '#form/half-width.ts'
import { PhrasePicker, useInsertion } from '#form/phrases.tsx'
import { stampText, toTokyoIso } from '#lib/time/tokyo-time.ts'
import { messageText } from '#messages/messages.ts'
import { PHRASES } from '#messages/phrases.ts'
import { RadioGroup } from '#ui/controls/choice.tsx'
import { LabelledField } from '#ui/controls/field.tsx'
import { TextArea, TextInput } from '#ui/controls/input.tsx'

interface SheetFormProps {
  spec: SheetSpec
  photos: FormPhotos
  onClose: () => void
}

/** The popup of a paper form. With a reason to stop the work, 安全対策 links to 緊急報告 instead of 写真に追加. */
export function SheetForm({ spec, photos, onClose }: SheetFormProps) {
  const { t, i18n } = useLingui()
  const body = useRef<HTMLDivElement>(null)
  const { values, previous, problem, isMaking, newRow, change, make } = useFillingIn(spec, photos)
  const [isTried, setTried] = useState(false)
  const { resource, requestId, workingDate } = photos.draft.target
  const request = useRequest(requestId)
  const stops = values ? spec.stopsIn(values) : []
  const press = async () => {
    setTried(true)
    if (!values || !isFilledIn(spec, values)) return focusFirstError(body.current ?? document)
    if (await make(inJapanese(() => visitFacts(request, workingDate, i18n)))) onClose()
  }
  return (
    <Sheet
      heading={i18n._(spec.heading)}
      onClose={onClose}
      phase="open"
      footer={
        <div className={styles.foot}>
          <output>{problem && <SheetProblemText why={problem} />}</output>
          {stops.length > 0 && resource === 'safetyMeasures' ? (
            <ButtonLink
              to="/emergencyReport/add/$id"
              params={{ id: requestId }}
              search={{ workingDate }}
              ignoreBlocker
              variant="danger-solid"
              wide
              icon={Siren}
            >
              {t`緊急報告を登録`}
            </ButtonLink>
          ) : (
            <Button variant="primary" wide icon={Check} busy={isMaking} onClick={() => void press()}>
              {t`写真に追加`}
            </Button>
          )}
        </div>
      }
    >
      <div ref={body} className={styles.body}>
        <div role="alert" className={styles.stops}>
          {stops.length > 0 && <Stops stops={stops} />}
        </div>
        {previous && (
          <Button icon={History} wide onClick={() => change(previous)}>
            {t`前回の内容から始める`}
          </Button>
        )}
        {values && <SheetFields {...{ spec, values, isTried, newRow }} onChange={change} />}
      </div>
    </Sheet>
  )
}

function Stops({ stops }: { stops: readonly MessageDescriptor[] }) {
  const { t, i18n } = useLingui()
  return (
    <p className={styles.stop}>
      <Icon as={OctagonAlert} />
      <span>
        {stops.map((stop) => i18n._(stop)).join('')}
        {t`直ちに作業をやめ、全員で退避してください。`}
      </span>
    </p>
  )
}

type Texts = Readonly<Record<string, string>>

interface SheetFieldsProps {
  spec: SheetSpec
  values: SheetValues
  isTried: boolean
  newRow: () => Record<string, string>
  onChange: (values: Pick<SheetValues, 'fields' | 'rows'>) => void
}

function SheetFields({ spec, values, isTried, newRow, onChange }: SheetFieldsProps) {
  const { t, i18n } = useLingui()
  const now = useNow()
  const { fields, rows } = values
  const changeRow = (index: number, change: Texts) => {
    const row = withText(spec.rows, rows[index] ?? {}, change, toTokyoIso(now()))
    onChange({ fields, rows: rows.with(index, row) })
  }
  return (
    <>
      {rows.map((row, index) => {
        const heading = `${i18n._(spec.rows.label)} ${index + 1}`
        return (
          <fieldset key={index} className={styles.row}>
            <legend>{heading}</legend>
            {spec.rows.fields.map((field) => (
              <Field
                key={field.name}
                {...{ field, isTried }}
                row={index}
                texts={row}
                onChange={(change) => changeRow(index, change)}
              />
            ))}
            {rows.length > 1 && (
              <Button
                icon={Trash2}
                aria-label={t`${heading}を削除`}
                onClick={() => onChange({ fields, rows: rows.toSpliced(index, 1) })}
              >{t`削除`}</Button>
            )}
          </fieldset>
        )
      })}
      {rows.length < spec.rows.most && (
        <Button icon={Plus} wide onClick={() => onChange({ fields, rows: [...rows, newRow()] })}>
          {i18n._(spec.rows.add)}
        </Button>
      )}
      {spec.fields.map((field) => (
        <Field
          key={field.name}
          {...{ field, isTried }}
          texts={fields}
          onChange={(change) => onChange({ fields: { ...fields, ...change }, rows })}
        />
      ))}
    </>
  )
}

interface FieldProps {
  field: SheetField
  /** Index of the row that has the field; undefined for a field outside rows. */
  row?: number
  texts: Texts
  isTried: boolean
  onChange: (change: Texts) => void
}

function Field({ field, row, texts, isTried, onChange: onTexts }: FieldProps) {
  const { name } = field
  const text = texts[name] ?? ''
  const onChange = (next: string) => onTexts({ [name]: next })
  const { i18n } = useLingui()
  const { kind, max, isOptional, options = [], phrases } = field
  const required = !isOptional
  const label = i18n._(field.label)
  const error = useFieldError(field, text, isTried)
  const { area, insert } = useInsertion(text, onChange)
  if (kind === 'now') return text !== '' && <p className="num">{`${label} ${stampText(text)}`}</p>
  if (kind === 'choice')
    return (
      <RadioGroup
        legend={label}
        required={required}
        cols={3}
        error={error}
        options={options.map((each) => ({ value: inJapanese(() => i18n._(each)), label: i18n._(each) }))}
        value={text}
        onChange={onChange}
      />
    )
  const shared = { value: text, autoComplete: 'off' }
  const count = kind === 'number' ? undefined : { n: text.length, max }
  return (
    <LabelledField
      label={label}
      required={required}
      error={error}
      count={count}
      tool={
        phrases && (
          <PhrasePicker
            name={row === undefined ? name : `${name}-${row}`}
            phrases={PHRASES[phrases]}
            onPick={insert}
          />
        )
      }
    >
      {kind === 'lines' && (
        <TextArea {...shared} ref={area} rows={3} onChange={({ target }) => onChange(target.value)} />
      )}
      {kind === 'line' && <TextInput {...shared} onChange={({ target }) => onChange(target.value)} />}
      {kind === 'number' && (
        <TextInput
          {...shared}
          num
          inputMode="decimal"
          onChange={({ target }) => onChange(toHalfAscii(target.value))}
        />
      )}
    </LabelledField>
  )
}

/** Returns the error of a text. Only a missing text may have an error that is hidden until `isTried`. */
function useFieldError(field: SheetField, text: string, isTried: boolean): string | undefined {
  const { t, i18n } = useLingui()
  const problem = fieldProblem(field, text)
  const label = i18n._(field.label)
  if (problem === 'ec00001') return isTried ? messageText(i18n, problem, { field: label }) : undefined
  if (problem === 'ec00003') return messageText(i18n, problem, { field: label, n: field.max })
  return problem ? t`${label}は0から${field.max}までの数値で入力してください` : undefined
}
