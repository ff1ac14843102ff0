"""Fails unless openpyxl finds in the second workbook what it finds in the first, and new cells only in new columns."""
import sys

import openpyxl

before, after = (openpyxl.load_workbook(path) for path in sys.argv[1:3])
assert before.sheetnames == after.sheetnames
added = 0
for old, new in zip(before.worksheets, after.worksheets):
    width = old.max_column
    assert new.max_row == old.max_row, "rows"
    for cells in new.iter_rows():
        for cell in cells:
            if cell.column > width:
                added += cell.value is not None
                assert cell.data_type != "f", cell.coordinate
                continue
            own = old[cell.coordinate]
            assert (own.value, own.data_type, own.number_format) == (cell.value, cell.data_type, cell.number_format)
            assert own.style_id == cell.style_id, cell.coordinate
            assert (own.comment and own.comment.text) == (cell.comment and cell.comment.text), cell.coordinate
    assert str(old.merged_cells) == str(new.merged_cells)
    assert old.auto_filter.ref == new.auto_filter.ref and old.freeze_panes == new.freeze_panes
    assert [t.ref for t in old.tables.values()] == [t.ref for t in new.tables.values()]
    for name, column in old.column_dimensions.items():
        assert (column.width, column.hidden) == (new.column_dimensions[name].width, new.column_dimensions[name].hidden)
    for number, row in old.row_dimensions.items():
        assert (row.height, row.hidden) == (new.row_dimensions[number].height, new.row_dimensions[number].hidden)
    assert [str(r.sqref) for r in old.conditional_formatting] == [str(r.sqref) for r in new.conditional_formatting]
    assert len(old.data_validations.dataValidation) == len(new.data_validations.dataValidation)
print(added, "cells added")
