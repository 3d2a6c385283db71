import { type } from 'arktype'
import { describe, expect, test } from 'vitest'
import { bareMessages, isMessageKey, messages, messageText, fieldMessage } from '#messages/messages.ts'
import { rawReasons, reasonText, refusalText } from '#messages/reason-text.ts'
import { i18n } from '../support/i18n.ts'

/** Asked, never answered by the CRM. */
const QUESTIONS = ['ec00005', 'ec00007', 'ec00018', 'ec00019', 'ec00022', 'ec00023', 'ec00028']

describe('[spec 8] the message table', () => {
  test('every message has its key as id, so that the catalogue keeps it', () => {
    expect(Object.entries(messages).filter(([key, { id }]) => key !== id)).toEqual([])
  })

  test('has every message of the catalogue', () => {
    const numbers = [
      1, 2, 3, 4, 5, 7, 8, 10, 11, 12, 13, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
    ]
    const keys = numbers.map((number) => `ec${String(number).padStart(5, '0')}`)
    expect(keys.filter((key) => !isMessageKey(key))).toEqual([])
    expect(isMessageKey('toString')).toBe(false)
  })

  test.each([
    ['ec00001', { field: '入館方法' }, '入館方法は必須です'],
    ['ec00003', { field: 'メモ', n: 1000 }, 'メモは1000文字以内で入力してください'],
    ['ec00005', {}, 'セッション情報が切れました。再ログインしてください。'],
    ['ec00022', { time: '08:56' }, '現在時刻（08:56）で入館登録します。よろしいですか？'],
    ['ec00028', { name: '酸欠' }, 'この設備には安全対策（酸欠）があります。安全対策は必要ですか？'],
  ] as const)('%s', (key, values, text) => expect(messageText(i18n, key, values)).toBe(text))
})

describe('a name in a sentence', () => {
  test.each([
    ['Hebrew', 'שער 3', '\u2068שער 3\u2069'],
    ['Arabic', '3 بوابة', '\u20683 بوابة\u2069'],
    ['Japanese', '東門 3', '東門 3'],
  ])('keeps its direction to itself: %s', (_, name, shown) => {
    const question = `この設備には安全対策（${shown}）があります。安全対策は必要ですか？`
    expect(messageText(i18n, 'ec00028', { name })).toBe(question)
    expect(i18n.t('q', { name }, { message: '{name}' })).toBe(shown)
    expect(i18n._('q', { name }, { message: '{name}' })).toBe(shown)
  })
})

describe('[crm-contract 3] a reason in words', () => {
  test.each([
    ['ec00012', '退館報告を更新できるのは作業日から7日以内です。'],
    ['ec00008', 'この内容は編集できません。'],
    ['ec00001', '必須の項目が入力されていません。'],
    ['ec00003', '文字数の上限を超えている項目があります。'],
    ['otherUser', '別のユーザーが保存した内容のため送信できません。'],
    ['ec99999', 'ec99999'],
    ['在庫がありません。', '在庫がありません。'],
    ['', ''],
  ])('%s: %s', (reason, text) => expect(reasonText(i18n, reason)).toBe(text))

  test('ec00008 names its subject where it is known', () => {
    expect(reasonText(i18n, 'ec00008', { subject: '退館報告' })).toBe('この退館報告は編集できません。')
  })
})

describe('[spec 8] a refusal says why, and what to do', () => {
  const keys = Object.keys(messages).filter(isMessageKey)

  test.each(keys)('%s without values is whole Japanese', (key) => {
    const text = reasonText(i18n, key)
    expect(text).not.toMatch(/[{}]|undefined|所定の|この(は|を)|^(は|を|へ)|（）/)
    expect(text).toMatch(/[\p{Script=Hiragana}\p{Script=Katakana}]/u)
  })

  // a compiled text is a list of its parts, and what is to be filled in is a list in it (decisions/forms)
  const withValues = keys.filter((key) => [messages[key].message].flat().some(Array.isArray))

  test('a text that speaks of values is known by its parts', () => {
    expect(withValues).toEqual(expect.arrayContaining(['ec00001', 'ec00003', 'ec00022']))
  })

  test.each(withValues)('%s speaks of values, so it has a form without them', (key) =>
    expect(bareMessages[key]).toBeDefined(),
  )

  const NEXT = /(お問い合わせください|してください|し直してください|選択してください|検索してください)。$/
  test.each(keys.filter((key) => key.startsWith('ec') && !QUESTIONS.includes(key)))('%s', (key) => {
    expect(refusalText(i18n, { reasons: [key], status: 400 })).toMatch(NEXT)
  })

  test.each([0, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503])(
    'no reason at all, status %d',
    (status) => {
      const lines = refusalText(i18n, { reasons: [], status }).split('\n')
      expect(lines.length).toBeGreaterThan(1)
      expect(lines.at(-1)).toMatch(NEXT)
    },
  )

  test.each([
    ['ec99999', 400, 'CRMが受け付けませんでした（コード ec99999）。'],
    ['Rate limit exceeded.', 429, 'CRMが混み合っています。'],
    ['Service unavailable temporarily.', 503, 'CRMは一時的に利用できません。'],
    ['Unauthorized', 401, '認証エラーが発生しました。再ログインしてください。'],
    ['no stock', 422, 'CRMが受け付けませんでした（コード 422）。'],
  ])('%s (%d) is said in Japanese', (reason, status, text) => {
    expect(refusalText(i18n, { reasons: [reason], status }).split('\n')[0]).toBe(text)
    expect(rawReasons({ reasons: [reason], status })).toEqual([String(status), reason])
  })

  test('the CRM’s own words are cut, and none where it gave none', () => {
    expect(rawReasons({ reasons: ['x'.repeat(9_000)], status: 0 })[0]).toHaveLength(500)
    expect(rawReasons({ reasons: [], status: 0 })).toEqual([])
  })

  test('ec00011 of an entry says that there is an entry, and never that there is a report', () => {
    const ofEntry = refusalText(i18n, { reasons: ['ec00011'], status: 400, kind: 'entry' })
    expect(ofEntry).toContain('この依頼の入館はすでに登録されています。')
    expect(ofEntry).not.toContain('退館報告が登録')
    const ofExit = refusalText(i18n, { reasons: ['ec00011'], status: 400, kind: 'exit' })
    expect(ofExit).toContain('この依頼にはすでに退館報告が登録されています。')
  })

  test('ec00013 of an exit says that its entry is missing, and not that a report is', () => {
    const said = refusalText(i18n, { reasons: ['ec00013'], status: 400, kind: 'exit' })
    expect(said).toBe(
      'この依頼の入館がCRMに登録されていません。\n入館登録が送信されてから「再送」してください。',
    )
  })

  test('several reasons: each said, what to do said once', () => {
    expect(refusalText(i18n, { reasons: ['ec00003', 'ec00024'], status: 422 })).toBe(
      '文字数の上限を超えている項目があります。\n有効なメールアドレスを入力してください\n「内容を開く」から直して、保存し直してください。',
    )
  })
})

const draft = type({
  name: '0 < string <= 5',
  code: type.enumerated('1', '2'),
  codes: 'string[] > 0',
  email: 'string.email',
  tel: type('string').narrow((text, ctx) => /^\d+-\d+$/.test(text) || ctx.mustBe('ec00025')),
  kana: type('string').narrow((text, ctx) => /^[ｦ-ﾟ]+$/.test(text) || ctx.mustBe('kana')),
  count: type('string').narrow((text, ctx) => /^\d+$/.test(text) || ctx.mustBe('ec00004')),
})
const good = { name: 'a', code: '1', codes: ['1'], email: 'a@b.jp', tel: '03-1', kana: 'ｱ', count: '1' }

describe('[spec 5] what is wrong with a field', () => {
  test.each([
    ['name', '', '項目名は必須です'],
    ['name', undefined, '項目名は必須です'],
    ['name', 'abcdef', '項目名は5文字以内で入力してください'],
    ['code', '', '項目名は必須です'],
    ['code', '7', '有効な項目名を入力してください'],
    ['codes', [], '項目名は必須です'],
    ['email', 'a@', '有効なメールアドレスを入力してください'],
    ['tel', '0312345678', '有効な電話番号を入力してください'],
    ['kana', 'あ', '項目名は半角カタカナのみ入力可能です'],
    ['count', 'a', '項目名は数値のみ入力可能です'],
  ])('%s %j: %s', (field, value, text) => {
    const errors = draft({ ...good, [field]: value })
    expect(errors).toBeInstanceOf(type.errors)
    expect(fieldMessage(i18n, [[...(errors as unknown as Iterable<unknown>)]], '項目名')).toBe(text)
  })

  test('a rule on the field gives a key; a field without errors has no message', () => {
    expect(fieldMessage(i18n, ['ec00001'], 'その他報告内容')).toBe('その他報告内容は必須です')
    expect(fieldMessage(i18n, ['この写真は使えません。'], '写真')).toBe('この写真は使えません。')
    expect(fieldMessage(i18n, [undefined, []], '写真')).toBeUndefined()
  })
})
