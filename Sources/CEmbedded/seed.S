// SwiftPM's embedInCode turns a file into a Swift array literal, which takes the compiler minutes for megabytes. The
// assembler only copies the bytes.
    .section .rodata

    .global waypost_towns
    .global waypost_towns_end
waypost_towns:
    .incbin "towns.bin"
waypost_towns_end:

    .balign 4
    .global waypost_countries
    .global waypost_countries_end
waypost_countries:
    .incbin "countries.bin"
waypost_countries_end:

    .section .note.GNU-stack,"",%progbits
