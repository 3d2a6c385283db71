/**
 * The forms and the declarations are tied: what is missing on either side does not compile, and what is drawn is looked at
 * here for every declared resource. A safety measure's form has ticks and photos, no field of its content.
 */
import { waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import type { Declaration, Field, InputOf } from '#schemas/declare/declare.ts'
import { declared } from '#schemas/collections/declared.ts'
import { customerLocationChangeRequest } from '#schemas/resources/customer-location-change-request.ts'
import { emergencyReport } from '#schemas/resources/emergency-report.ts'
import { draftOf } from '#schemas/declare/derive.ts'
import { inputOf } from '#schemas/declare/form-values.ts'
import { useCustomerLocationControls } from '#features/customer-location-change-request/customer-location-form-screens.tsx'
import { useEmergencyControls } from '#features/emergency-report/emergency-form-screens.tsx'
import { useContactControls } from '#features/location-contact-change-request/contact-form-screens.tsx'
import { RecordForm } from '#features/request-form/request-form.tsx'
import { useNoteControls } from '#features/note-location-area/note-form-screens.tsx'
import { useReportControls } from '#features/quick-report/report-form.tsx'
import { useDeclaredForm, type ControlsFor } from '#form/use-declared-form.tsx'
import { openTestDatabase, renderFeature } from '../support/render-feature.tsx'

const saved: object[] = []

type Drawn = { [C in Exclude<keyof typeof declared, 'safetyMeasures'>]: (typeof declared)[C] }

/** A new resource is named here, or this does not compile. */
const controls: { [C in keyof Drawn]: () => ControlsFor<Drawn[C]> } = {
  quickReports: useReportControls,
  emergencyReports: useEmergencyControls,
  customerLocationChangeRequests: useCustomerLocationControls,
  locationContactChangeRequests: () => useContactControls('02'),
  noteLocationAreas: useNoteControls,
}

async function openForm(of: keyof Drawn, initial: object) {
  function Form() {
    return (
      <RecordForm<typeof customerLocationChangeRequest, { server?: object }>
        {...{ action: 'edit', title: '編集', back: null, request: null, record: null, bar: null }}
        // the types of one stand for all
        declaration={declared[of] as unknown as typeof customerLocationChangeRequest}
        controls={controls[of]() as unknown as ControlsFor<typeof customerLocationChangeRequest>}
        initial={initial as InputOf<typeof customerLocationChangeRequest>}
        draft={{ key: 'k' }}
        write={(draft) => async () => void saved.push(draft)}
        leave={() => undefined}
      />
    )
  }
  return renderFeature(<Form />, { path: '/outbox', db: await openTestDatabase() })
}

/** The fields that a report of each kind asks for: 残作業の理由 or 中止・延期の理由 go with their type. */
const ASKED: Partial<Record<string, readonly Record<string, string>[]>> = {
  quickReports: [
    { type: '2', reason2: '' },
    { type: '3', reason1: '' },
  ],
}

const typed = (declaration: Declaration) =>
  Object.entries<Field>(declaration.fields).filter(([, { from }]) => from === undefined)

const valueFor = (name: string, field: Field) => {
  const code = 'table' in field ? (field.table.options.at(-1)?.code ?? '') : `${name}の言葉`
  return field.kind === 'codes' ? [code] : code
}

const isShown = (root: HTMLElement, field: Field, value: unknown) => {
  const controls = [...root.querySelectorAll<HTMLInputElement>('input, textarea, select')]
  if (!('table' in field)) return controls.some((control) => control.value === value)
  const labels = [value].flat().map((code) => field.table.label(String(code)))
  return labels.every((label) =>
    controls.some((control) =>
      control instanceof HTMLSelectElement
        ? control.selectedOptions[0]?.text === label
        : control.checked && control.closest('label')?.textContent === label,
    ),
  )
}

const CASES = Object.keys(controls).flatMap((collection) =>
  (ASKED[collection] ?? [{}]).map((over) => [collection as keyof Drawn, over] as const),
)

test.each(CASES)(
  '[spec 5] the form of %s has a control for every field of its draft %j',
  async (of, over) => {
    const declaration: Declaration = declared[of]
    const values = Object.fromEntries(
      typed(declaration).map(([name, field]) => [name, valueFor(name, field)]),
    )
    const initial = { ...inputOf(declaration, values), ...over }
    await openForm(of, initial)
    const missing = () =>
      typed(declaration)
        .filter(([name]) => Reflect.get(initial, name) !== '')
        .filter(([name, field]) => !isShown(document.body, field, Reflect.get(initial, name)))
        .map(([name]) => name)
    await waitFor(() => expect(missing()).toEqual([]))
  },
)

/** Codes that the CRM may come to use. */
const UNKNOWN = '77'
const SHOWN_WITH: Partial<Record<string, object>> = { reason1: { type: '2' }, reason2: { type: '3' } }

const CODED = Object.keys(controls).flatMap((collection) => {
  const declaration: Declaration = declared[collection as keyof Drawn]
  return typed(declaration).flatMap(([name, field]) =>
    'table' in field ? [[collection as keyof Drawn, name, field] as const] : [],
  )
})

test.each(CODED)(
  '[contract 2] %s: a code of %s that no table knows is shown as it is, and stays where the rest is saved',
  async (of, name, field) => {
    const declaration: Declaration = declared[of]
    const others = typed(declaration).map(([each, its]) => [each, valueFor(each, its)])
    const alone = of === 'quickReports' ? { type: '1', reason1: '', reason2: '', ...SHOWN_WITH[name] } : {}
    const known = field.table.options[0]?.code ?? ''
    const initial = {
      ...inputOf(declaration, Object.fromEntries(others)),
      ...alone,
      [name]: field.kind === 'codes' ? [known, UNKNOWN] : UNKNOWN,
    }
    const { screen, user } = await openForm(of, initial)
    await waitFor(() => expect(isShown(document.body, field, Reflect.get(initial, name))).toBe(true))
    saved.length = 0
    const more = field.table.options[1]
    // what is ticked beside it takes nothing away
    const box = field.kind === 'codes' && more && screen.getAllByLabelText(more.label)[0]
    if (box) await user.click(box)
    await user.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(saved).toHaveLength(1))
    const value: unknown = Reflect.get(saved[0] ?? {}, name)
    expect([value].flat()).toEqual(field.kind === 'codes' ? [known, more?.code, UNKNOWN] : [UNKNOWN])
  },
)

test.each(CODED)(
  '[spec 5] %s: of %s only a code that the form opens with may be one that no table knows',
  (of, name, field) => {
    const declaration: Declaration = declared[of]
    const values = Object.fromEntries(typed(declaration).map(([each, its]) => [each, valueFor(each, its)]))
    const whole = { ...values, [name]: field.kind === 'codes' ? [UNKNOWN] : UNKNOWN }
    expect(draftOf(declaration).allows(whole)).toBe(false)
    expect(draftOf(declaration, { ...whole, [name]: '78' }).allows(whole)).toBe(false)
    expect(draftOf(declaration, whole).allows(whole)).toBe(true)
  },
)

const text: ControlsFor<typeof customerLocationChangeRequest>['inMethod'] = (field, said) => (
  <field.TextAreaField label="入館方法" {...said} />
)
const parkingType: ControlsFor<typeof customerLocationChangeRequest>['parkingType'] = (field, said) => (
  <field.SelectField label="駐車場区分" {...said} />
)

test('[spec 5] what a form and its declaration do not agree in does not compile', () => {
  const whole: ControlsFor<typeof customerLocationChangeRequest> = {
    parkingType,
    parkingMethod: text,
    inMethod: text,
  }
  // @ts-expect-error a field of the draft has no control
  const lacking: ControlsFor<typeof customerLocationChangeRequest> = { parkingType, parkingMethod: text }
  // @ts-expect-error a control is of no field of the draft
  const foreign: ControlsFor<typeof customerLocationChangeRequest> = { ...whole, parkingNote: text }
  const wrong: ControlsFor<typeof emergencyReport>['risk'] = (field) => (
    // @ts-expect-error several codes have no radio buttons
    <field.RadioField label="リスク" options={[]} />
  )
  const input: InputOf<typeof emergencyReport> = {
    ...inputOf(emergencyReport),
    // @ts-expect-error a default of the wrong type
    risk: '',
  }
  // @ts-expect-error a default is missing
  const short: InputOf<typeof customerLocationChangeRequest> = { parkingType: '', parkingMethod: '' }
  expect([lacking, foreign, wrong, input, short]).toHaveLength(5)
})

test('[spec 5] a control that only its own resource has is drawn by its declaration', async () => {
  function Probe() {
    const [initial] = useState(() => inputOf(customerLocationChangeRequest))
    const form = useDeclaredForm({
      declaration: customerLocationChangeRequest,
      defaultValues: initial,
      onSubmit: () => undefined,
      autosave: { key: 'probe' },
    })
    return <form.AppForm>{form.fields({ parkingType, parkingMethod: text, inMethod: text })}</form.AppForm>
  }
  await renderFeature(<Probe />, { path: '/outbox' })
  await waitFor(() => expect(document.querySelectorAll('textarea, select')).toHaveLength(3))
})
