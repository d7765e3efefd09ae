/**
 * PTX, the assembly language of NVIDIA GPUs (PTX ISA 1.0 to 9.4).
 *
 * The aim: accept everything that ptxas accepts; some texts that ptxas refuses may be accepted, too.
 * A file is a list of module items and body statements in any order, so a fragment
 * (the text of an inline asm) parses with the same grammar.
 *
 * PTX has almost no reserved words: a register may be called `add` or `u32`. So there
 * is no list of opcodes here. An opcode is the identifier at the start of a statement,
 * and a word after a dot is a modifier.
 *
 * Speed: most of a file is instructions, and a reduce costs as much as seven bytes of
 * lexing. So the usual modifiers and operands are in `instruction` itself instead of in
 * a repetition (`upTo`), the usual kinds of operand are inlined there (`_operand`), and
 * statements are collected eight at a time (`inRuns`). An instruction of four operands
 * takes 1.25 reduces.
 *
 * Two limits that an edit must respect:
 *   - at most 300 lexer states, above which the generator turns the compiler's optimizer
 *     off for the lexer; each new dotted keyword costs as many states as it has letters;
 *   - fewer than 256 symbols, so that a leaf of the tree needs no memory of its own.
 */

// Binary operators bind as in C. All above the negative ones below.
const PREC = {
  conditional: 1,
  or: 2,
  and: 3,
  bit_or: 4,
  bit_xor: 5,
  bit_and: 6,
  equal: 7,
  compare: 8,
  shift: 9,
  add: 10,
  multiply: 11,
  unary: 12,

  // `sym+4+4` is one symbol_offset: its offset continues while operators follow.
  offset: -9,
  // A single name or number is an operand by itself; it becomes an expression
  // only if an operator follows.
  atom: -10,
};

const HEX = '[0-9a-fA-F]';
// A number that begins with 0 is octal: `08` is two numbers.
const INTEGER = `0[xX]${HEX}+U?|0[bB][01]+U?|0[0-7]*U?|[1-9][0-9]*U?`;

/** rule (separator rule)* */
function separated(separator, rule) {
  return seq(rule, repeat(seq(separator, rule)));
}

/** One to `count` times the rule, spelled out. */
function upTo(count, separator, rule) {
  const next = separator === null ? rule : seq(separator, rule);
  let tail = null;
  for (let i = 1; i < count; i++) tail = optional(tail === null ? next : seq(next, tail));
  return tail === null ? rule : seq(rule, tail);
}

/**
 * The same as repeat(rule), with a fraction of its reduces and of its memory. The
 * productions are as many as the rule's inlined choices to the power of `count`.
 */
function inRuns(count, rule) {
  return seq(repeat(seq(...Array(count).fill(rule))), optional(upTo(count - 1, null, rule)));
}

/** A keyword that is recognised by its first letters, to keep the lexer small. */
function keyword(name, letters) {
  const prefix = name.slice(1, 1 + letters);
  return alias(token(prec(1, new RegExp(`\\.${prefix}[a-z_]*`))), name);
}

/** A token: from the word `first...` to the first line that begins with `last...`. */
function linesBetween(first, last) {
  const escape = (c) => c.replace(/[.]/, '\\.');
  // A line that is not `last`: blank, or it leaves the spelling of `last` at some letter.
  const lines = [];
  for (let i = 0; i < last.length; i++) {
    const prefix = [...last.slice(0, i)].map(escape).join('');
    const blank = i === 0 ? ' \\t\\r' : '';
    lines.push(`${prefix}([^\\n${blank}${escape(last[i])}][^\\n]*)?\\n`);
  }
  return new RegExp(`${escape(first)}[^\\n]*\\n([ \\t\\r]*(${lines.join('|')}))*[ \\t\\r]*${escape(last)}[a-z]*`);
}

module.exports = grammar({
  name: 'ptx',

  // No vertical tab; Ctrl-Z ends the files of an old system.
  extras: $ => [/[ \t\r\n\f\x1a]/, $.comment, $.line_marker],

  inline: $ => [$._operand, $._initializer, $._element, $._label_name],

  rules: {
    source_file: $ => repeat(choice($._module_item, $._statement)),

    // Lexical

    // A carriage return does not end a line comment, as in ptxas.
    comment: _ => token(choice(
      /\/\/[^\n]*/,
      /\/\*[^*]*\*+([^/*][^*]*\*+)*\//,
    )),

    // `# 1 "x.cu" 2` and `#line 1 "x.cu"`, as a preprocessor leaves them: `line` as any of its
    // letters, for the size of the lexer.
    line_marker: _ => /#[ \tline]*[0-9]+[ \t]*"[^"\n]*"[ \t0-9]*/,

    // Registers, symbols, labels and opcodes alike: `%` and `$` are letters.
    identifier: _ => /[a-zA-Z][a-zA-Z0-9_$]*|[_$%][a-zA-Z0-9_$]+/,

    integer: _ => new RegExp(INTEGER),

    float: _ => token(choice(
      /[0-9]+\.[0-9]*([eE][+-]?[0-9]+)?/,
      /\.[0-9]+([eE][+-]?[0-9]+)?/,
      /[0-9]+[eE][+-]?[0-9]+/,
      new RegExp(`0[fFdD]${HEX}+`),
    )),

    // No escapes; a backslash is a letter and a newline may stand inside.
    string: _ => /"[^"]*"/,

    sink: _ => '_',

    linkage: _ => token(choice(
      prec(1, /\.ext[a-z_]*/), prec(1, /\.vis[a-z_]*/), '.weak', '.common',
    )),

    state_space: _ => token(choice(
      '.reg', '.const', '.global', '.local', '.param', '.shared', '.tex',
    )),

    vector_type: _ => token(prec(1, /\.v[0-9]+/)),

    // `.s32`, `.2d`, `.shared::cta`, `.sp::2:4` (PTX 9.4). The dot is glued to its word, but blanks and
    // comments may stand before it. Everything dotted that is no keyword is this one
    // token, and where it stands names it.
    modifier: _ => /\.[a-zA-Z0-9_$]+(::[a-zA-Z0-9_$]+(:[0-9]+)?)*/,

    // Module level

    _module_item: $ => choice(
      $.version_directive,
      $.target_directive,
      $.address_size_directive,
      $.file_directive,
      $.alias_directive,
      $.section,
      $.intermediate_source_section,
      $.dwarf_directive,
      $.unknown_directive,
      $.variable_declaration,
      $.function_definition,
    ),

    version_directive: $ => seq(keyword('.version', 3), field('version', $.version_number)),
    version_number: _ => /[0-9]+(\.[0-9]+)*/,

    target_directive: $ => seq(keyword('.target', 3), separated(',', field('target', $.identifier))),

    address_size_directive: $ => seq(keyword('.address_size', 4), field('size', $.integer)),

    file_directive: $ => seq(
      '.file',
      field('index', $.integer),
      field('name', $.string),
      optional(seq(
        ',', field('timestamp', $.integer),
        optional(seq(',', field('size', $.integer))),
      )),
    ),

    pragma_directive: $ => seq(keyword('.pragma', 3), separated(',', field('value', $.string)), ';'),

    alias_directive: $ => seq(
      '.alias', field('alias', $.identifier), ',', field('target', $.identifier), ';',
    ),

    // PTX before 2.0; it ends with the line.
    dwarf_directive: _ => /@@[A-Z][^\n]*/,

    // What a newer PTX brings should not cost the rest of the file. Not inside a body: a
    // `.visible` or `.entry` there tells of a missing brace and must not pass for one.
    unknown_directive: $ => prec.right(seq(
      field('name', alias($.modifier, $.directive_name)),
      optional(separated(',', field('argument', choice($.integer, $.float, $.string)))),
      optional(';'),
    )),

    // Debug sections

    section: $ => seq(
      keyword('.section', 3),
      field('name', alias($.modifier, $.section_name)),
      '{',
      inRuns(8, $._debug_item),
      '}',
    ),

    _debug_item: $ => choice($.label, $.debug_data),

    debug_data: $ => seq(
      field('type', alias($.modifier, $.type)),
      separated(',', field('value', choice(
        $.integer_list,
        $._debug_symbol,
        alias($._debug_offset, $.symbol_offset),
        alias($._debug_difference, $.binary_expression),
      ))),
    ),

    // One leaf for each line: a debug build has hundreds of thousands of these lines.
    integer_list: _ => new RegExp(`(-[ \\t]*)?(${INTEGER})([ \\t]*,[ \\t]*(-[ \\t]*)?(${INTEGER}))*`),

    _debug_symbol: $ => choice($.identifier, alias($.modifier, $.section_name)),

    _debug_offset: $ => seq(field('base', $._debug_symbol), '+', field('offset', $.integer)),

    _debug_difference: $ => seq(
      field('left', $._debug_symbol),
      field('operator', '-'),
      field('right', choice($._debug_symbol, $.integer)),
    ),

    // `.nv_intermediate_source_section` of PTX 9.4: the source of another language, as
    // it is. No keywords, see `modifier`.
    intermediate_source_section: $ => seq(
      field('name', alias($.modifier, $.directive_name)), '{', repeat($.code_block), '}',
    ),

    code_block: $ => seq(
      field('name', alias($.modifier, $.directive_name)),
      '{',
      repeat(choice($.code_attribute, $.source_text)),
      '}',
    ),

    code_attribute: $ => seq(
      field('name', alias($.modifier, $.directive_name)),
      ':',
      field('value', choice($.string, $.integer)),
    ),

    source_text: _ => linesBetween('.source_b', '.source_e'),

    // Declarations

    // What precedes the names may come in any order, once a linkage or a space has
    // told that it is a declaration.
    variable_declaration: $ => choice(
      seq(field('linkage', $.linkage), $._declaration),
      $._local_declaration,
    ),

    // Inside a body: no linkage first. A `.visible` there is the next function, after a
    // missing brace.
    _local_declaration: $ => seq(
      choice($._space, field('alignment', $.alignment), field('attribute', $.attribute_list)),
      $._declaration,
    ),

    // Without a name it declares nothing.
    _declaration: $ => seq(
      repeat($._declaration_attribute),
      optional(separated(',', field('declarator', $.declarator))),
      ';',
    ),

    _declaration_attribute: $ => choice(
      $._space,
      field('alignment', $.alignment),
      field('attribute', $.attribute_list),
      field('pointer', $.pointer_attribute),
      field('vector', $.vector_type),
      field('type', alias($.modifier, $.type)),
    ),

    // `.const[2]`: the banks of PTX before 2.2.
    _space: $ => prec.right(seq(
      field('space', $.state_space),
      optional(seq('[', field('bank', $.integer), ']')),
    )),

    alignment: $ => seq('.align', field('value', $._expression)),

    attribute_list: $ => seq(keyword('.attribute', 3), '(', separated(',', $.attribute), ')'),

    attribute: $ => seq(
      field('name', alias($.modifier, $.directive_name)),
      optional(seq('(', separated(',', field('argument', $._expression)), ')')),
    ),

    // `%r<8>` declares %r0 to %r7.
    declarator: $ => seq(
      field('name', $.identifier),
      optional(seq('<', field('count', choice($.integer, $.identifier)), '>')),
      repeat(field('dimension', $.dimension)),
      optional(seq('=', field('value', $._initializer))),
    ),

    dimension: $ => seq('[', optional(field('size', $._expression)), ']'),

    // Inlined for the sake of long tables.
    _initializer: $ => choice($.integer, $._other_initializer),

    _other_initializer: $ => choice(
      $._expression,
      $.symbol_offset,
      $.generic_expression,
      alias($._generic_offset, $.symbol_offset),
      $.mask_expression,
      $.initializer_list,
    ),

    initializer_list: $ => seq(
      '{', optional(seq($._element, inRuns(4, seq(',', $._element)))), '}',
    ),

    _element: $ => choice($._initializer, $.field_initializer),

    // `filter_mode = nearest`, of a sampler.
    field_initializer: $ => seq(
      field('name', $.identifier), '=', field('value', $._expression),
    ),

    // `0xFF00(sym+4)`: one byte of an address.
    mask_expression: $ => seq(
      field('mask', $.integer), '(', field('argument', $._initializer), ')',
    ),

    // `generic(sym)`
    generic_expression: $ => seq(
      field('function', $.identifier), '(', field('argument', $._initializer), ')',
    ),

    _generic_offset: $ => prec(PREC.offset, seq(
      field('base', $.generic_expression), '+', field('offset', $._expression),
    )),

    // Functions

    function_definition: $ => choice(
      seq(
        optional(field('linkage', $.linkage)),
        field('kind', '.entry'),
        $._function_header,
        choice(field('body', $.block), ';'),
      ),
      // A prototype of the compilers of PTX 1.4 to 2.x ends without a semicolon.
      prec.right(seq(
        optional(field('linkage', $.linkage)),
        field('kind', '.func'),
        optional(field('attribute', $.attribute_list)),
        optional(field('return', $.parameter_list)),
        $._function_header,
        optional(choice(field('body', $.block), ';')),
      )),
    ),

    _function_header: $ => prec.right(seq(
      field('name', $.identifier),
      optional(field('parameters', $.parameter_list)),
      repeat(field('directive', $.function_directive)),
    )),

    // `.maxntid 256, 1, 1`. Any name, as each version brings new ones.
    function_directive: $ => prec.right(choice(
      seq(
        field('name', alias($.modifier, $.directive_name)),
        optional(separated(',', field('argument', choice(
          $.integer, $.string, $.identifier,
        )))),
      ),
      seq(
        field('name', alias(keyword('.pragma', 3), $.directive_name)),
        separated(',', field('argument', $.string)),
        ';',
      ),
    )),

    parameter_list: $ => seq('(', optional(separated(',', $.parameter)), ')'),

    parameter: $ => seq(
      repeat1($._declaration_attribute),
      optional(field('name', choice($.identifier, $.sink))),
      repeat(field('dimension', $.dimension)),
    ),

    pointer_attribute: $ => prec.right(seq(
      '.ptr',
      optional(field('space', $.state_space)),
      optional(field('alignment', $.alignment)),
    )),

    // Statements

    block: $ => seq('{', inRuns(8, $._body_statement), '}'),

    _body_statement: $ => choice(
      $._statement,
      alias($._local_declaration, $.variable_declaration),
    ),

    _statement: $ => choice(
      $.instruction,
      $.call_instruction,
      $.label,
      $.block,
      $.loc_directive,
      $.pragma_directive,
      $.prototype_declaration,
      $.call_targets,
      $.branch_targets,
      ';',
    ),

    label: $ => seq(field('name', $._label_name), ':'),

    _label_name: $ => choice($.identifier, alias('call', $.identifier)),

    loc_directive: $ => seq(
      choice('.loc', keyword('.loc_intermediate', 4)),
      field('file', $.integer),
      field('line', $.integer),
      field('column', $.integer),
      repeat(choice(
        seq(
          ',', alias($.identifier, 'function_name'),
          field('function_name', $._debug_symbol),
          optional(seq('+', field('offset', $.integer))),
        ),
        seq(
          ',', alias($.identifier, 'inlined_at'),
          field('inlined_file', $.integer),
          field('inlined_line', $.integer),
          field('inlined_column', $.integer),
        ),
      )),
    ),

    prototype_declaration: $ => seq(
      field('label', $._label_name), ':',
      keyword('.callprototype', 5),
      optional(field('return', $.parameter_list)),
      field('name', choice($.sink, $.identifier)),
      optional(field('parameters', $.parameter_list)),
      repeat(field('directive', $.function_directive)),
      ';',
    ),

    call_targets: $ => seq(
      field('label', $._label_name), ':',
      keyword('.calltargets', 5),
      separated(',', field('target', $.identifier)),
      ';',
    ),

    branch_targets: $ => seq(
      field('label', $._label_name), ':',
      keyword('.branchtargets', 4),
      separated(',', field('target', choice($.identifier, $.range_target))),
      ';',
    ),

    // `N<5>` stands for N0 to N4.
    range_target: $ => seq(
      field('name', $.identifier), '<', field('count', $.integer), '>',
    ),

    // Instructions

    instruction: $ => seq(
      optional(field('guard', $.guard)),
      field('opcode', alias($.identifier, $.opcode)),
      choice(
        seq(
          optional(upTo(4, null, field('modifier', $.modifier))),
          optional(choice(upTo(4, ',', field('operand', $._operand)), $._many_operands)),
        ),
        seq($._many_modifiers, optional($._operands)),
      ),
      ';',
    ),

    // The rest have rules of their own. Were a repetition in the sequence above, the
    // generator would keep apart all that may stand before it: ten times the states.
    _many_modifiers: $ => seq(
      ...Array(4).fill(field('modifier', $.modifier)),
      repeat1(field('modifier', $.modifier)),
    ),

    _many_operands: $ => seq(
      $._four_operands,
      repeat1(seq(',', field('operand', $._operand))),
    ),

    _four_operands: $ => seq(
      field('operand', $._operand),
      ...Array(3).fill(seq(',', field('operand', $._operand))),
    ),

    _operands: $ => separated(',', field('operand', $._operand)),

    guard: $ => seq('@', optional(field('negated', '!')), field('register', $.identifier)),

    call_instruction: $ => seq(
      optional(field('guard', $.guard)),
      field('opcode', alias('call', $.opcode)),
      repeat(field('modifier', $.modifier)),
      optional(seq(field('return', $.argument_list), ',')),
      field('callee', $.identifier),
      optional(seq(',', choice(
        field('target', $.identifier),
        seq(
          field('arguments', $.argument_list),
          optional(seq(',', field('target', $.identifier))),
        ),
      ))),
      ';',
    ),

    argument_list: $ => seq('(', optional(separated(',', $._operand)), ')'),

    // Operands

    _operand: $ => choice($.identifier, $.integer, $.float, $._other_operand),

    _other_operand: $ => choice(
      $._expression,
      $.vector,
      $.address,
      $.member,
      $.subscript,
      $.symbol_offset,
      $.negation,
      $.pair,
      $.sink,
    ),

    vector: $ => seq('{', $._operand, inRuns(4, seq(',', $._operand)), '}'),

    // Flat, as `[a+4]` stands in every other instruction. What ptxas would refuse
    // (`[a-4]`, `[4+a]`) has an expression for its base.
    address: $ => prec.right(seq(
      '[',
      choice(
        field('base', $.identifier),
        seq(field('base', $.identifier), '+', field('offset', choice($.integer, $._expression))),
        field('base', choice($._expression, $.member, $.subscript)),
      ),
      repeat(seq(',', field('coordinate', $._operand))),
      ']',
      optional(field('qualifier', $.modifier)),
    )),

    // `%tid.x`, and the `.b0` of the video instructions.
    member: $ => seq(
      field('object', $.identifier),
      field('selector', alias($.modifier, $.selector)),
    ),

    subscript: $ => seq(field('base', $.identifier), '[', field('index', $._operand), ']'),

    symbol_offset: $ => prec(PREC.offset, seq(
      field('base', $.identifier), '+', field('offset', $._expression),
    )),

    negation: $ => seq(
      field('operator', choice('-', '!', '~')),
      field('argument', choice($.identifier, $.member)),
    ),

    // `p|q`
    pair: $ => seq(
      field('first', choice($.identifier, $.sink, $.vector)),
      '|',
      field('second', choice($.identifier, $.sink)),
    ),

    // Constant expressions. A name inside is WARP_SZ, or a macro not yet expanded.

    _expression: $ => choice(
      prec(PREC.atom, $.identifier),
      prec(PREC.atom, $.integer),
      prec(PREC.atom, $.float),
      $.parenthesized_expression,
      $.unary_expression,
      $.binary_expression,
      $.conditional_expression,
      $.cast_expression,
    ),

    parenthesized_expression: $ => seq('(', $._expression, ')'),

    unary_expression: $ => prec(PREC.unary, seq(
      field('operator', choice('+', '-', '!', '~')),
      field('argument', $._expression),
    )),

    cast_expression: $ => prec(PREC.unary, seq(
      '(', field('type', alias($.modifier, $.type)), ')', field('argument', $._expression),
    )),

    binary_expression: $ => choice(...[
      ['||', PREC.or],
      ['&&', PREC.and],
      ['|', PREC.bit_or],
      ['^', PREC.bit_xor],
      ['&', PREC.bit_and],
      ['==', PREC.equal],
      ['!=', PREC.equal],
      ['<', PREC.compare],
      ['<=', PREC.compare],
      ['>', PREC.compare],
      ['>=', PREC.compare],
      ['<<', PREC.shift],
      ['>>', PREC.shift],
      ['+', PREC.add],
      ['-', PREC.add],
      ['*', PREC.multiply],
      ['/', PREC.multiply],
      [alias(token(/%[ \t\r\n\f\x1a]/), '%'), PREC.multiply],
    ].map(([operator, precedence]) => prec.left(precedence, seq(
      field('left', $._expression),
      field('operator', operator),
      field('right', $._expression),
    ))), prec.left(PREC.multiply, seq(
      field('left', $._expression), field('operator', '%'), field('right', $._glued_expression),
    ))),

    // `7%3` is a number and the name `%3`: after the operator is a blank or no letter.
    _glued_expression: $ => choice(
      alias($._glued_parentheses, $.parenthesized_expression),
      alias($._glued_cast, $.cast_expression),
      alias($._glued_unary, $.unary_expression),
    ),

    _glued_parentheses: $ => seq(alias(token.immediate('('), '('), $._expression, ')'),

    _glued_cast: $ => prec(PREC.unary, seq(
      alias(token.immediate('('), '('), field('type', alias($.modifier, $.type)), ')',
      field('argument', $._expression),
    )),

    _glued_unary: $ => prec(PREC.unary, seq(
      field('operator', choice(...['+', '-', '!', '~'].map(
        (sign) => alias(token.immediate(sign), sign)))),
      field('argument', $._expression),
    )),

    conditional_expression: $ => prec.right(PREC.conditional, seq(
      field('condition', $._expression),
      '?',
      field('consequence', $._expression),
      ':',
      field('alternative', $._expression),
    )),
  },
});
