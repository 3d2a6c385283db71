// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from 'vitest'
import { keptNodes, listNodes, nodesOf } from '#app/kept-nodes.ts'

beforeEach(() => document.body.replaceChildren())

function standing(html: string): HTMLElement {
  const place = document.createElement('div')
  place.innerHTML = html
  return place
}

describe('[decision 0051] what is kept of the list', () => {
  test('comes back as it stood: texts, classes, names, links of this app, drawings, spacers', () => {
    const html =
      '<ul class="day_rows"><li data-index="1" aria-posinset="1" style="height: 837px;"></li><li><a href="/request/r1?workingDate=2026-11-20" class="visit">9:00 <b>江東 &lt;b&gt;</b><svg viewBox="0 0 24 24" stroke="currentColor"><path d="M3 12h26"></path></svg></a></li></ul>'
    const place = document.createElement('div')
    place.append(...nodesOf(JSON.parse(JSON.stringify(keptNodes(standing(html))))))
    expect(place.innerHTML).toBe(html)
    expect(place.querySelector('svg')?.namespaceURI).toBe('http://www.w3.org/2000/svg')
  })

  test.each([
    ['<script>run()</script>'],
    ['<iframe src="/x"></iframe>'],
    ['<img src="x" onerror="run()">'],
    ['<a href="javascript:run()">依頼</a>'],
    ['<a href="//evil.example/">依頼</a>'],
    ['<button onclick="run()">明日</button>'],
    ['<div style="background: url(//evil.example)">x</div>'],
    ['<form action="//evil.example"><input name="a"></form>'],
  ])('is without %s', (html) => {
    expect(JSON.stringify(keptNodes(standing(html)))).not.toMatch(/run|evil|script|iframe|img|form|url/)
  })
})

describe('[decision 0020] what is kept of the list says nothing that only the app knows', () => {
  test.each([
    [
      'a banner that interrupts',
      '<div role="alert"><p>端末に保存できませんでした</p><button>閉じる</button></div>',
    ],
    ['another banner', '<div role="status"><p>保存しました。</p><a href="/outbox">送信状況</a></div>'],
    ['what is told of a count', '<output>未送信 2件</output>'],
    ['the connection', '<div data-state="online"><a href="/outbox">未送信 2件</a></div>'],
  ])('%s', (_, html) => {
    const place = standing(`<main><h1>依頼検索</h1>${html}</main>`)
    const kept = JSON.stringify(keptNodes(listNodes(place)))
    expect(kept).toContain('依頼検索')
    expect(kept).not.toMatch(/保存|未送信|button|outbox|online/)
    // the screen itself stays as it was
    expect(place.innerHTML).toContain(html)
  })

  test('of a banner not even its box: it would be drawn, and empty', () => {
    const place = standing(
      '<section aria-label="お知らせ"><div role="alert">x</div><div role="status">y</div></section>',
    )
    expect(listNodes(place).innerHTML).toBe('')
  })
})

describe('[decision 0051] storage that holds something else gives nothing at all', () => {
  test.each([
    ['text as HTML', '<b>x</b>'],
    ['nothing', null],
    ['a script', [['script', {}, ['run()']]]],
    ['a frame', [['iframe', { src: '/x' }, []]]],
    ['a handler', [['button', { onclick: 'run()' }, []]]],
    ['an address that runs', [['a', { href: 'javascript:run()' }, []]]],
    ['an address elsewhere', [['a', { href: '//evil.example' }, []]]],
    ['a style', [['div', { style: 'background: url(//evil.example)' }, []]]],
    ['a value that is no text', [['div', { class: 1 }, []]]],
    ['a child deep inside', [['div', {}, [['p', {}, [['object', {}, []]]]]]]],
  ])('%s', (_, kept) => expect(() => nodesOf(kept)).toThrow(/^(?:no |not a known )/))

  test('a text that looks like markup is a text', () => {
    document.body.append(...nodesOf([['p', {}, ['<img src=x onerror=run()>']]]))
    expect(document.querySelector('img')).toBeNull()
    expect(document.body.textContent).toBe('<img src=x onerror=run()>')
  })
})
