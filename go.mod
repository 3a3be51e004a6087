module foretoken

go 1.26
