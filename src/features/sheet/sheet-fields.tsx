import { useLingui } from '@lingui/react/macro'
import { Plus, Trash2 } from 'lucide-react'
import { useNow } from '#data/context/use-now.ts'
import { toHalfAscii } from '#form/half-width.ts'
import { PhrasePicker, useInsertion } from '#form/phrases.tsx'
import { inJapanese } from '#lib/language.ts'
import { stampText, toTokyoIso } from '#lib/time/tokyo-time.ts'
import { messageText } from '#messages/messages.ts'
import { PHRASES } from '#messages/phrases.ts'
import { Button } from '#ui/controls/button.tsx'
import { RadioGroup } from '#ui/controls/choice.tsx'
import { LabelledField } from '#ui/controls/field.tsx'
import { TextArea, TextInput } from '#ui/controls/input.tsx'
import styles from './sheet-form.module.css'
import { fieldProblem, withText, type SheetField, type SheetSpec, type SheetValues } from './sheet-spec.ts'

type Texts = Readonly<Record<string, string>>

interface SheetFieldsProps {
  spec: SheetSpec
  values: SheetValues
  isTried: boolean
  newRow: () => Record<string, string>
  onChange: (values: Pick<SheetValues, 'fields' | 'rows'>) => void
}

export function SheetFields({ spec, values, isTried, newRow, onChange }: SheetFieldsProps) {
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
            <Fields
              fields={spec.rows.fields}
              row={index}
              texts={row}
              isTried={isTried}
              onChange={(change) => changeRow(index, change)}
            />
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
      <Fields
        fields={spec.fields}
        texts={fields}
        isTried={isTried}
        onChange={(change) => onChange({ fields: { ...fields, ...change }, rows })}
      />
    </>
  )
}

interface FieldsProps {
  fields: readonly SheetField[]
  /** Index of the row that has the fields; undefined for fields outside rows. */
  row?: number
  texts: Texts
  isTried: boolean
  onChange: (change: Texts) => void
}

function Fields({ fields, row, texts, isTried, onChange }: FieldsProps) {
  return fields.map((field) => (
    <Field
      key={field.name}
      field={field}
      id={row === undefined ? field.name : `${field.name}-${row}`}
      text={texts[field.name] ?? ''}
      isTried={isTried}
      onChange={(text) => onChange({ [field.name]: text })}
    />
  ))
}

interface FieldProps {
  field: SheetField
  /** The field's name; for a field of a row, followed by the row's index. */
  id: string
  text: string
  isTried: boolean
  onChange: (text: string) => void
}

function Field({ field, id, text, isTried, onChange }: FieldProps) {
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
      tool={phrases && <PhrasePicker name={id} phrases={PHRASES[phrases]} onPick={insert} />}
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
